import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { CutName, formatNumber, formatPart, type VerdictLook } from "../../../components/index.ts";
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
  /** Stands in place of the bar. */
  readonly words?: string;
  /** Makes the row a button. `name` is what it does. */
  readonly opens?: { readonly name: string; readonly open: () => void } | undefined;
}

export interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What shares are of. */
  readonly whole: number;
  /** What the longest bar represents: the largest count by default. */
  readonly longest?: number;
  /** Whether each bar has its share of the whole next to it. */
  readonly hasShares?: boolean;
  readonly listRef?: Ref<HTMLUListElement>;
}

/** Counts as bars, each with its figures in text: the bars show nothing that the text lacks. */
export function BarChart({ label, bars, whole, hasShares = false, listRef, ...scale }: BarChartProps) {
  const longest = scale.longest ?? Math.max(...bars.map(({ count, words }) => (words === undefined ? count : 0)), 0);
  return (
    <ul ref={listRef} className={classes.root} aria-label={label}>
      {bars.map(({ key, label: name, count, tone, parts, figure, words, opens }) => (
        <li key={key} className={classes.row} data-opens={opens !== undefined || undefined}>
          <span className={classes.label} data-drawn="text" dir="auto">
            {typeof name === "string" ? <CutName name={name} /> : name}
          </span>
          <span className={classes.track} aria-hidden>
            {words}
            {(words === undefined ? (parts ?? [{ key, count, tone }]) : []).map((part) => (
              <span
                key={part.key}
                className={classes.bar}
                data-drawn="bar"
                data-tone={part.tone}
                data-empty={part.count === 0 || undefined}
                style={{ width: `${longest === 0 ? 0 : (part.count / longest) * 100}%` }}
              />
            ))}
          </span>
          <span className={classes.count} data-drawn="text">
            {figure ?? formatNumber(count)}
          </span>
          {hasShares ? (
            <span className={classes.share} data-drawn="text">
              {whole === 0 ? "" : formatPart(count / whole)}
            </span>
          ) : null}
          {opens === undefined ? null : (
            <button type="button" className={classes.open} aria-label={opens.name} onClick={opens.open}>
              <IconChevronRight size={14} aria-hidden />
            </button>
          )}
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

/** The row of a bar leads to its lines. */
export function showLines(of: string, open: () => void): NonNullable<Bar["opens"]> {
  return { name: `Show lines: ${of}`, open };
}
