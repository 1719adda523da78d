import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { formatNumber, formatPart, type VerdictLook } from "../../components/index.ts";
import classes from "./bar-chart.module.css";

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly count: number;
  readonly tone: VerdictLook["tone"] | "accent";
  /** Stands after the figures: what can be done with it. */
  readonly action?: ReactNode;
}

export interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What a whole bar stands for. */
  readonly whole: number;
  /** Whether each bar has its share of the whole next to it. */
  readonly hasShares?: boolean;
}

/** Counts as bars, each with its figures in text: the bars show only what the text says. */
export function BarChart({ label, bars, whole, hasShares = false }: BarChartProps) {
  return (
    <ul className={classes.root} aria-label={label}>
      {bars.map(({ key, label: name, count, tone, action }) => (
        <li key={key} className={classes.row}>
          <span className={classes.label} dir="auto">
            {name}
          </span>
          <span className={classes.track} aria-hidden>
            <span
              className={classes.bar}
              data-tone={tone}
              data-empty={count === 0 || undefined}
              style={{ width: `${whole === 0 ? 0 : (count / whole) * 100}%` }}
            />
          </span>
          <span className={classes.count}>{formatNumber(count)}</span>
          {hasShares ? <span className={classes.share}>{whole === 0 ? "" : formatPart(count / whole)}</span> : null}
          {action === undefined ? null : <span className={classes.action}>{action}</span>}
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

/** The action of a bar that stands for lines. */
export function ShowLines({ of, onShow }: ShowLinesProps) {
  return (
    <Button size="xs" variant="subtle" aria-label={`Show lines: ${of}`} onClick={onShow}>
      Show lines
    </Button>
  );
}
