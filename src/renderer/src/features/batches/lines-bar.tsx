import type { BatchView } from "#contract";
import { formatNumber } from "../../components/index.ts";
import { countEnded, isUnderWay, shareEnded } from "./describe-batch.ts";
import classes from "./lines-bar.module.css";

export interface LinesBarProps {
  readonly batch: Pick<BatchView, "status" | "counts" | "remote">;
  readonly label: string;
  readonly height: number;
}

/** What came of the lines of a batch as parts of one bar: answered, failed, never ran, and what is still to come. */
export function LinesBar({ batch, label, height }: LinesBarProps) {
  const { counts, status } = batch;
  const share = shareEnded(batch);
  const parts = [
    { name: "answered", count: counts.completed },
    { name: "failed", count: counts.failed },
    { name: "unasked", count: counts.neverRan },
  ].filter(({ count }) => count > 0);
  return (
    <div
      className={classes.root}
      style={{ height }}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.floor(share * 100)}
      aria-valuetext={describeLines(batch)}
      title={describeLines(batch)}
      data-tone={isUnderWay(status) ? "active" : "ended"}
      data-unknown={(share === null && isUnderWay(status)) || undefined}
    >
      {parts.map(({ name, count }) => (
        <div key={name} className={classes.part} data-part={name} style={{ flexGrow: count }} />
      ))}
      <div style={{ flexGrow: counts.total - countEnded(batch) - counts.neverRan }} />
    </div>
  );
}

/** The parts of the bar in words. */
export function describeLines({ counts }: Pick<BatchView, "counts">): string {
  const { total, completed, failed, neverRan } = counts;
  const parts = [
    `${formatNumber(completed)} of ${formatNumber(total)} answered`,
    failed > 0 ? `${formatNumber(failed)} failed` : null,
    neverRan > 0 ? `${formatNumber(neverRan)} never ran` : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}
