import { VisuallyHidden } from "@mantine/core";
import type { BatchDetail } from "#contract";
import { formatNumber, formatRate, ProgressBar, Sparkline } from "../../../components/index.ts";
import { shareEnded } from "../counts.ts";
import { isUnderWay, lookOf } from "../status.ts";
import classes from "./batch-progress.module.css";
import { announceProgress, describeCounts, describePace } from "./describe-progress.ts";

/** How far a batch is, how fast it goes, and how its pace has been. */
export function BatchProgress({ batch }: { readonly batch: BatchDetail }) {
  const share = shareEnded(batch);
  const { count, rest } = describeCounts(batch);
  const { word, tone } = lookOf(batch.status);
  const most = Math.max(0, ...batch.throughput);
  return (
    <div className={classes.root}>
      <div className={classes.main}>
        <div className={classes.bar}>
          <ProgressBar
            label="Progress"
            share={share}
            text={`${count} ${rest}`}
            tone={isUnderWay(batch.status) ? "active" : tone === "done" ? "done" : "quiet"}
            height={8}
          />
        </div>
        <div className={classes.texts}>
          <span>
            <b>{count}</b> <span className={classes.soft}>{rest}</span>
            {batch.counts.failed > 0 ? (
              <span className={classes.failed}>{formatNumber(batch.counts.failed)} failed</span>
            ) : null}
          </span>
          <span className={classes.soft}>{describePace(batch)}</span>
        </div>
      </div>
      {batch.throughput.length > 1 ? (
        <div className={classes.chart}>
          <Sparkline samples={batch.throughput} label={`Lines a second over time, at most ${formatRate(most)}`} />
        </div>
      ) : null}
      <VisuallyHidden role="status">{announceProgress(batch.status, word, share)}</VisuallyHidden>
    </div>
  );
}
