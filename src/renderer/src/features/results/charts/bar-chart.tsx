import { Button } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { formatNumber, formatPart, type VerdictLook } from "../../../components/index.ts";
import classes from "./bar-chart.module.css";

export type BarTone = VerdictLook["tone"] | "accent" | `part${1 | 2 | 3 | 4 | 5 | 6}`;

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly count: number;
  readonly tone: BarTone;
  /** What the bar is made of, in place of one tone; their counts are of the same whole. */
  readonly parts?: readonly { readonly key: string; readonly count: number; readonly tone: BarTone }[];
  /** Its figure; the count by default. */
  readonly figure?: string;
  /** What a click on the bar does. There is another way to it for the keyboard. */
  readonly onClick?: () => void;
  /** Shown after the figures: what can be done with it. */
  readonly action?: ReactNode;
}

export interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What a whole bar represents. */
  readonly whole: number;
  /** Whether each bar has its share of the whole next to it. */
  readonly hasShares?: boolean;
  readonly listRef?: Ref<HTMLUListElement>;
}

/** Counts as bars, each with its figures in text: the bars show nothing that the text lacks. */
export function BarChart({ label, bars, whole, hasShares = false, listRef }: BarChartProps) {
  return (
    <ul ref={listRef} className={classes.root} aria-label={label}>
      {bars.map(({ key, label: name, count, tone, parts, figure, onClick, action }) => (
        <li key={key} className={classes.row}>
          <span className={classes.label} data-drawn="text" dir="auto">
            {name}
          </span>
          <button
            type="button"
            className={classes.track}
            aria-hidden
            tabIndex={-1}
            disabled={onClick === undefined}
            onClick={onClick}
          >
            {(parts ?? [{ key, count, tone }]).map((part) => (
              <span
                key={part.key}
                className={classes.bar}
                data-drawn="bar"
                data-tone={part.tone}
                data-empty={part.count === 0 || undefined}
                style={{ width: `${whole === 0 ? 0 : (part.count / whole) * 100}%` }}
              />
            ))}
          </button>
          <span className={classes.count} data-drawn="text">
            {figure ?? formatNumber(count)}
          </span>
          {hasShares ? (
            <span className={classes.share} data-drawn="text">
              {whole === 0 ? "" : formatPart(count / whole)}
            </span>
          ) : null}
          {action === undefined ? null : <span className={classes.action}>{action}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What the parts of bars represent. Their figures are also in a table. */
export function BarLegend({ parts }: { readonly parts: readonly { readonly word: string; readonly tone: BarTone }[] }) {
  return (
    <ul className={classes.legend} aria-hidden>
      {parts.map(({ word, tone }) => (
        <li key={word}>
          <span className={classes.swatch} data-tone={tone} /> {word}
        </li>
      ))}
    </ul>
  );
}

interface ShowLinesProps {
  /** What the lines of the bar have in common. */
  readonly of: string;
  readonly onShow: () => void;
}

/** The action of a bar that represents lines. */
export function ShowLines({ of, onShow }: ShowLinesProps) {
  return (
    <Button size="xs" variant="subtle" aria-label={`Show lines: ${of}`} onClick={onShow}>
      Show lines
    </Button>
  );
}
