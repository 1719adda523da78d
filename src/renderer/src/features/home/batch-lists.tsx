import { Button } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClockExclamation } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type BatchQuality, type BatchView, batchStatusTable, findShortAnswers } from "#contract";
import {
  formatCount,
  formatDuration,
  formatKnownCost,
  formatNumber,
  formatPart,
  formatRate,
  formatTimeLeft,
  MockMark,
  ProgressBar,
  RelativeTime,
} from "../../components/index.ts";
import { BatchColumns, BatchRow } from "./batch-row.tsx";
import { Card } from "./card.tsx";
import classes from "./home-page.module.css";
import type { FinishedBatch } from "./summarize.ts";

interface LiveListProps {
  readonly batches: readonly BatchView[];
  /** Whether what is shown is of now: without its host nothing is known of what comes next. */
  readonly isLive: boolean;
  readonly onOpen: (batchId: string) => void;
  readonly onShowAll: () => void;
}

/** More than this is for the list of batches. */
const mostListed = 8;

/** Batches that get answers now, with how far they are. */
export function RunningList({ batches, isLive, onOpen, onShowAll }: LiveListProps) {
  const columns = (
    <BatchColumns>
      <span className={classes.progressTail}>
        <span>Lines</span>
        <span className={classes.end}>Left</span>
      </span>
    </BatchColumns>
  );
  return (
    <Card title="Running" count={batches.length} columns={columns}>
      <List all={batches} onShowAll={onShowAll}>
        {(batch) => {
          const { id, name, counts, timeLeft, status } = batch;
          const ended = counts.completed + counts.failed;
          const text = counts.total === 0 ? "Checking" : `${formatNumber(ended)} of ${formatNumber(counts.total)}`;
          const isEnding = status === "finalizing" || status === "cancelling";
          const left = isEnding ? batchStatusTable[status].word : timeLeft === null ? "" : formatTimeLeft(timeLeft);
          return (
            <BatchRow key={id} batch={batch} onOpen={() => onOpen(id)}>
              <span className={classes.progressTail} title={isLive ? describePace(batch) : undefined}>
                <span className={classes.progress}>
                  <span className={classes.bar}>
                    <ProgressBar
                      label={`Progress of ${name}`}
                      share={counts.total > 0 ? ended / counts.total : null}
                      text={text}
                    />
                  </span>
                  {text}
                </span>
                <span className={classes.end}>{isLive ? left : "Not connected"}</span>
              </span>
            </BatchRow>
          );
        }}
      </List>
    </Card>
  );
}

/** Batches that get no answers now. What can be done about it stands under what needs the user. */
export function WaitingList({ batches, onOpen, onShowAll }: Omit<LiveListProps, "isLive">) {
  const columns = (
    <BatchColumns>
      <span>Waits for</span>
    </BatchColumns>
  );
  return (
    <Card title="Waiting" count={batches.length} columns={columns}>
      <List all={batches} onShowAll={onShowAll}>
        {(batch) => (
          <BatchRow key={batch.id} batch={batch} onOpen={() => onOpen(batch.id)}>
            <span className={classes.reason} title={batch.waiting ?? undefined}>
              {batch.waiting}
            </span>
          </BatchRow>
        )}
      </List>
    </Card>
  );
}

function describePace({ rate, timeLeft, cost }: BatchView): string {
  const parts = [
    timeLeft === null ? null : `about ${formatTimeLeft(timeLeft)} left`,
    rate === null || rate === 0 ? null : `${formatRate(rate)} lines/s`,
    cost === null ? null : `${formatKnownCost(cost)} so far`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

interface FinishedListProps {
  readonly finished: readonly FinishedBatch[];
  /** By the batch; of those that were graded or verified. */
  readonly qualities: ReadonlyMap<string, BatchQuality>;
  /** When the user was here last, in words: "yesterday". */
  readonly since: string;
  readonly onOpen: (batchId: string) => void;
  readonly onShowAll: () => void;
}

/** What has ended since the last visit. */
export function FinishedList({ finished, qualities, since, onOpen, onShowAll }: FinishedListProps) {
  const columns = (
    <BatchColumns>
      <span className={classes.tail}>
        <span>Lines</span>
        <span className={`${classes.end} ${classes.right}`}>Right</span>
        <span className={classes.end}>Cost</span>
        <span className={classes.end}>Ended</span>
      </span>
    </BatchColumns>
  );
  return (
    <Card
      title={`Finished since ${since === "just now" ? "you came" : since}`}
      columns={finished.length === 0 ? undefined : columns}
    >
      {finished.length === 0 ? <p className={classes.nothing}>No batch has ended since.</p> : null}
      <List all={finished} onShowAll={onShowAll} isAlwaysMore>
        {({ batch, at }) => {
          const rest = listRest(batch);
          const accuracy = qualities.get(batch.id)?.accuracy ?? null;
          return (
            <BatchRow key={batch.id} batch={batch} icon={<Outcome batch={batch} />} onOpen={() => onOpen(batch.id)}>
              <span className={classes.tail}>
                <span
                  className={rest.length > 0 ? `${classes.reason} ${classes.warning}` : classes.reason}
                  title={[describeOutcome(batch), describeDuration(batch)].filter(Boolean).join(" in ")}
                >
                  {rest.join(", ") || formatCount(batch.counts.total, "line")}
                </span>
                <span className={`${classes.end} ${classes.right}`}>
                  {accuracy !== null && batch.isMock ? <MockMark /> : null}
                  {accuracy === null ? "" : formatPart(accuracy.share)}
                </span>
                <span className={classes.end}>{batch.cost === null ? "" : formatKnownCost(batch.cost)}</span>
                <span className={classes.end}>
                  <RelativeTime time={at} isReal={batch.connection !== null} />
                </span>
              </span>
            </BatchRow>
          );
        }}
      </List>
    </Card>
  );
}

interface ListProps<One> {
  readonly all: readonly One[];
  readonly onShowAll: () => void;
  /** Whether the way to all batches stands below a short list, too. */
  readonly isAlwaysMore?: boolean;
  readonly children: (one: One) => ReactNode;
}

function List<One>({ all, onShowAll, isAlwaysMore = false, children }: ListProps<One>) {
  const hidden = all.length - mostListed;
  return (
    <>
      <ul className={classes.list}>{all.slice(0, mostListed).map(children)}</ul>
      {hidden > 0 || isAlwaysMore ? (
        <div className={classes.more}>
          <Button size="xs" variant="subtle" onClick={onShowAll}>
            {[hidden > 0 ? `${formatNumber(hidden)} more` : null, isAlwaysMore ? "All batches" : null]
              .filter((part) => part !== null)
              .join(" · ")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Outcome({ batch: { status, counts } }: { readonly batch: BatchView }) {
  const props = { size: 16, stroke: 1.8, "aria-hidden": true } as const;
  if (status === "failed") return <IconAlertTriangle {...props} className={classes.failed} />;
  if (status === "expired") return <IconClockExclamation {...props} className={classes.warning} />;
  if (status === "cancelled") {
    return <IconBan {...props} className={counts.neverRan > 0 ? classes.warning : classes.soft} />;
  }
  return counts.failed + counts.damaged + counts.neverRan + counts.awaited > 0 ? (
    <IconAlertTriangle {...props} className={classes.warning} />
  ) : (
    <IconCircleCheck {...props} className={classes.done} />
  );
}

/** What became of its lines that have no whole answer: `8 failed`, `2 cut`. */
function listRest({ status, counts, ends }: BatchView): string[] {
  if (status === "failed") return ["failed before it ran"];
  const short = findShortAnswers(ends ?? {});
  return [
    counts.failed > 0 ? `${formatNumber(counts.failed)} failed` : null,
    counts.damaged > 0 ? `${formatNumber(counts.damaged)} damaged` : null,
    counts.awaited > 0 ? `${formatNumber(counts.awaited)} not there yet` : null,
    counts.neverRan > 0 ? `${formatNumber(counts.neverRan)} never ran` : null,
    short?.words ?? null,
  ].filter((part) => part !== null);
}

/** `1,311 of 1,319 answered, 8 failed`. */
export function describeOutcome(batch: BatchView): string {
  const { status, counts } = batch;
  const answered = `${formatNumber(counts.completed)} of ${formatNumber(counts.total)} answered`;
  return [...(status === "failed" ? [] : [answered]), ...listRest(batch)].join(", ");
}

function describeDuration({ times }: BatchView): string | null {
  const end = times.finalizing ?? times.completed;
  return times.inProgress === null || end === null ? null : formatDuration(end - times.inProgress);
}
