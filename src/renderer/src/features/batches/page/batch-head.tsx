import { VisuallyHidden } from "@mantine/core";
import type { BatchDetail, EndCounts } from "#contract";
import { useResultSummary } from "../../../queries/batch-queries.ts";
import { isUnderWay, lookOfBatch, shareEnded, withRetries } from "../describe-batch.ts";
import { LinesBar } from "../lines-bar.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { BatchDeadline } from "./batch-deadline.tsx";
import { BatchFacts, type BatchFactsProps } from "./batch-facts.tsx";
import classes from "./batch-head.module.css";
import { BatchName } from "./batch-name.tsx";
import { useBatchPage } from "./batch-page.tsx";
import { ConnectionNotice, describeRemote } from "./connection-notice.tsx";
import { announceProgress, describeCounts, describeMerged, describePace } from "./describe-progress.ts";

export interface BatchHeadProps extends Pick<BatchFactsProps, "onShowEnds" | "onShowMisfits" | "onShowRun"> {
  /** How many retries its results are shown with; 0 for its own alone. */
  readonly mergedRetries: number;
  /** To the lines that failed. */
  readonly onShowFailed: () => void;
}

/** The name of a batch with its state, a line of facts, and a third line while it runs. */
export function BatchHead({ mergedRetries, onShowFailed, ...ways }: BatchHeadProps) {
  const { batch, onCancel } = useBatchPage();
  const { status } = batch;
  const isMerged = mergedRetries > 0 && !isUnderWay(status);
  const { data: summary } = useResultSummary(batch.id, true, undefined, isMerged);
  const merged = isMerged && summary !== undefined ? describeMerged(summary, mergedRetries) : null;
  const outcome = merged?.outcome;
  const shown = merged === null || outcome === undefined ? batch : withRetries(batch, [], merged.left);
  const ends: EndCounts =
    isMerged && summary !== undefined
      ? Object.fromEntries(summary.ends.map(({ value, count }) => [value, count]))
      : (batch.ends ?? {});
  return (
    <header className={classes.root}>
      <div className={classes.top}>
        <BatchName />
        <StatusBadge batch={shown} outcome={outcome} onFailed={onShowFailed} />
      </div>
      <BatchFacts isMerged={isMerged} ends={ends} {...ways} />
      {isUnderWay(status) ? <Progress batch={batch} /> : null}
      <ConnectionNotice batch={batch} onCancel={onCancel} />
      {batch.isReadOnly ? (
        <p className={classes.readOnly}>
          A job of the command line. You can read and export it here, but not change it.
        </p>
      ) : null}
      <VisuallyHidden role="status">
        {outcome === undefined ? announceProgress(shown, shareEnded(batch)) : `${lookOfBatch(shown).word}, ${outcome}`}
      </VisuallyHidden>
    </header>
  );
}

/** How far a batch is, how fast it goes, and where it is at a service elsewhere. */
function Progress({ batch }: { readonly batch: BatchDetail }) {
  const { count, rest } = describeCounts(batch);
  return (
    <div className={classes.progress}>
      <LinesBar batch={batch} label="Progress" height={8} />
      <span className={classes.counts}>
        <b>{count}</b> <span className={classes.soft}>{rest}</span>
      </span>
      <span className={classes.pace}>{[describeRemote(batch), describePace(batch)].filter(Boolean).join("  ·  ")}</span>
      <BatchDeadline batch={batch} />
    </div>
  );
}
