import type { BatchView } from "#contract";
import { formatNumber } from "../../components/index.ts";
import { countEnded, countThere, describeAwaited, isUnderWay, shareEnded } from "./describe-batch.ts";
import classes from "./lines-bar.module.css";

export interface LinesBarProps {
  readonly batch: Pick<BatchView, "status" | "counts" | "remote">;
  readonly label: string;
  readonly height: number;
}

/** The lines of a batch as parts of one bar: answered, failed, done at its service, never ran, and what is still to come. */
export function LinesBar({ batch, label, height }: LinesBarProps) {
  const { counts, status } = batch;
  const share = shareEnded(batch);
  const there = countThere(batch);
  const parts = [
    { name: "answered", count: counts.completed },
    { name: "failed", count: counts.failed },
    { name: "damaged", count: counts.damaged },
    { name: "there", count: there + counts.awaited },
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
      <div style={{ flexGrow: counts.total - countEnded(batch) - there - counts.awaited - counts.neverRan }} />
    </div>
  );
}

/** The parts of the bar in words. */
export function describeLines(batch: LinesBarProps["batch"]): string {
  const { total, completed, failed, damaged, neverRan } = batch.counts;
  const there = countThere(batch);
  const parts = [
    `${formatNumber(completed)} of ${formatNumber(total)} answered`,
    failed > 0 ? `${formatNumber(failed)} failed` : null,
    damaged > 0 ? `${formatNumber(damaged)} damaged on disk` : null,
    there > 0 ? `${formatNumber(there)} done at the service` : null,
    describeAwaited(batch.counts),
    neverRan > 0 ? `${formatNumber(neverRan)} never ran` : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}
