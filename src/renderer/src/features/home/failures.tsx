import { Button } from "@mantine/core";
import { errorKinds, errorKindTable, sumErrors } from "#contract";
import { formatCount, formatNumber } from "../../components/index.ts";
import { type AttentionActions, Row } from "./attention-row.tsx";
import { BatchRow } from "./batch-row.tsx";
import type { FailedLines } from "./find-attention.ts";
import classes from "./home-page.module.css";

/** So many batches are named below the count of all failed lines. */
const mostNamed = 2;

/** The failed lines of all batches as one thing, with the batches that they are of. */
export function Failures({ failures, ...actions }: AttentionActions & { readonly failures: readonly FailedLines[] }) {
  const { isActing, onOpenFailed, onShowFailed, onRetry } = actions;
  const [first] = failures;
  const single = failures.length === 1 ? first : undefined;
  const named = single === undefined ? failures.slice(0, mostNamed) : [];
  const others = failures.slice(mostNamed);
  const passing = failures.filter((one) => one.passing > 0);
  const kinds = describeErrors(failures);
  const inBatches = single === undefined ? ` in ${formatCount(failures.length, "batch", "batches")}` : "";
  return (
    <>
      <Row
        batch={single?.batch}
        dismiss={failures.map(({ key }) => key)}
        onDismiss={actions.onDismiss}
        title={`${describeFailed(failures)}${inBatches}`}
        about={
          <>
            {single === undefined ? null : (
              <>
                in <bdi>{single.batch.name}</bdi>
              </>
            )}
            {kinds === "" ? null : <> · {kinds}</>}
          </>
        }
      >
        <Button
          size="xs"
          onClick={() => (single === undefined ? onShowFailed() : onOpenFailed(single.batch, single.isMerged))}
        >
          Review
        </Button>
        {passing.length === 0 ? null : (
          <Button
            size="xs"
            disabled={isActing}
            onClick={() => {
              const batches = passing.map(({ batch }) => batch);
              onRetry(batches, "failed");
            }}
          >
            Retry {formatNumber(passing.reduce((sum, one) => sum + one.passing, 0))}
          </Button>
        )}
      </Row>
      {named.map((one) => (
        <BatchRow
          key={one.key}
          batch={one.batch}
          icon={<span className={classes.indent} />}
          about={describeErrors([one])}
          onOpen={() => onOpenFailed(one.batch, one.isMerged)}
        >
          <span className={classes.end}>
            {formatNumber(countLines([one]))} of {formatNumber(one.batch.counts.total)}
          </span>
        </BatchRow>
      ))}
      {others.length === 0 ? null : (
        <li>
          <button type="button" className={`${classes.row} ${classes.batch}`} onClick={onShowFailed}>
            <span className={`${classes.name} ${classes.soft}`}>
              <span className={classes.indent} />
              {formatCount(others.length, "more batch", "more batches")}
            </span>
            <span className={classes.model} />
            <span className={classes.about}>{describeErrors(others)}</span>
            <span className={classes.end}>{formatNumber(countLines(others))}</span>
          </button>
        </li>
      )}
    </>
  );
}

function countLines(failures: readonly FailedLines[]): number {
  return failures.reduce((sum, { batch: { counts } }) => sum + counts.failed + counts.damaged, 0);
}

/** `31 rate limited, 8 refused`; empty until the errors are known. */
function describeErrors(failures: readonly FailedLines[]): string {
  const errors = sumErrors(failures.map((one) => one.errors));
  return errorKinds
    .flatMap((kind) => (errors[kind] ? [`${formatNumber(errors[kind])} ${errorKindTable[kind].words}`] : []))
    .join(", ");
}

function describeFailed(failures: readonly FailedLines[]): string {
  const failed = failures.reduce((sum, { batch }) => sum + batch.counts.failed, 0);
  const damaged = failures.reduce((sum, { batch }) => sum + batch.counts.damaged, 0);
  const parts = [
    failed > 0 ? `${formatCount(failed, "line")} failed` : null,
    damaged > 0 ? formatCount(damaged, "answer is damaged on disk", "answers are damaged on disk") : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}
