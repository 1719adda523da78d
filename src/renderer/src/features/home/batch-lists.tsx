import { Button } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClockExclamation } from "@tabler/icons-react";
import { type BatchView, batchStatusTable, findShortAnswers } from "#contract";
import {
  formatCount,
  formatDuration,
  formatKnownCost,
  formatNumber,
  formatRate,
  formatTimeLeft,
  ProgressBar,
  RelativeTime,
} from "../../components/index.ts";
import { Card } from "./card.tsx";
import classes from "./home-page.module.css";
import type { FinishedBatch } from "./summarize.ts";

interface RunningListProps {
  readonly title: "Running" | "Waiting";
  readonly batches: readonly BatchView[];
  /** Whether what is shown is of now: without its host nothing is known of what comes next. */
  readonly isLive: boolean;
  readonly onOpen: (batchId: string) => void;
  readonly onShowAll: () => void;
}

/** More than this is for the list of batches. */
const mostListed = 8;

/** What is under way, with how far it is. */
export function RunningList({ title, batches, isLive, onOpen, onShowAll }: RunningListProps) {
  const hidden = batches.length - mostListed;
  return (
    <Card title={title}>
      <ul className={classes.list}>
        {batches.slice(0, mostListed).map((batch) => {
          const { id, name, counts, waiting } = batch;
          const ended = counts.completed + counts.failed;
          const text =
            counts.total === 0 ? "Checking" : `${formatNumber(ended)} of ${formatCount(counts.total, "line")}`;
          return (
            <li key={id}>
              <button type="button" className={classes.batch} onClick={() => onOpen(id)}>
                <span className={classes.what}>
                  <strong dir="auto">{name}</strong> <span className={classes.soft}>{describeWhere(batch)}</span>
                </span>
                <span className={classes.figure}>{text}</span>
                <span className={classes.bar}>
                  <ProgressBar
                    label={`Progress of ${name}`}
                    share={counts.total > 0 ? ended / counts.total : waiting === null ? null : 0}
                    text={text}
                  />
                </span>
                <span className={classes.faint}>{isLive ? describePace(batch) : "Not connected"}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {hidden > 0 ? (
        <div className={classes.more}>
          <Button size="xs" variant="subtle" onClick={onShowAll}>
            {formatNumber(hidden)} more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

/** Which model answers, and where. */
function describeWhere({ models, connection }: BatchView): string {
  const [model] = models;
  const where = connection === null ? "" : ` on ${connection.name}`;
  return `${model ?? ""}${where}`.trim();
}

/** Why a batch waits is shown under what needs the user. */
function describePace({ rate, timeLeft, cost, status, waiting }: BatchView): string {
  if (waiting !== null) return "Waiting";
  if (status === "finalizing" || status === "cancelling") return batchStatusTable[status].word;
  const parts = [
    timeLeft === null ? null : `about ${formatTimeLeft(timeLeft)} left`,
    rate === null || rate === 0 ? null : `${formatRate(rate)} lines/s`,
    cost === null ? null : `${formatKnownCost(cost)} so far`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

interface FinishedListProps {
  readonly finished: readonly FinishedBatch[];
  /** When the user was here last, in words: "yesterday". */
  readonly since: string;
  readonly onOpen: (batchId: string) => void;
  readonly onShowAll: () => void;
}

/** What has ended since the last visit. */
export function FinishedList({ finished, since, onOpen, onShowAll }: FinishedListProps) {
  const hidden = finished.length - mostListed;
  return (
    <Card title={`Finished since ${since === "just now" ? "you came" : since}`}>
      {finished.length === 0 ? <p className={classes.nothing}>No batch has ended since.</p> : null}
      <ul className={classes.list}>
        {finished.slice(0, mostListed).map(({ batch, at }) => (
          <li key={batch.id}>
            <button type="button" className={classes.batch} onClick={() => onOpen(batch.id)}>
              <span className={classes.what}>
                <Outcome batch={batch} />
                <strong dir="auto">{batch.name}</strong> <span className={classes.soft}>{describeOutcome(batch)}</span>
              </span>
              <span className={classes.faint}>
                {describeEffort(batch)} <RelativeTime time={at} isReal={batch.connection !== null} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className={classes.more}>
        <Button size="xs" variant="subtle" onClick={onShowAll}>
          {hidden > 0 ? `${formatNumber(hidden)} more, and all batches` : "All batches"}
        </Button>
      </div>
    </Card>
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

/** `1,311 of 1,319 answered, 8 failed`. */
export function describeOutcome({ status, counts, ends }: BatchView): string {
  if (status === "failed") return "failed before it ran";
  const parts = [`${formatNumber(counts.completed)} of ${formatNumber(counts.total)} answered`];
  const short = findShortAnswers(ends ?? {});
  if (short !== null) parts.push(short.words);
  if (counts.failed > 0) parts.push(`${formatNumber(counts.failed)} failed`);
  if (counts.damaged > 0) parts.push(`${formatNumber(counts.damaged)} damaged`);
  if (counts.awaited > 0) parts.push(`${formatNumber(counts.awaited)} not there yet`);
  if (counts.neverRan > 0) parts.push(`${formatNumber(counts.neverRan)} never ran`);
  return parts.join(", ");
}

function describeEffort({ cost, times }: BatchView): string {
  const end = times.finalizing ?? times.completed;
  const parts = [
    cost === null ? null : formatKnownCost(cost),
    times.inProgress === null || end === null ? null : formatDuration(end - times.inProgress),
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `${parts.join(" · ")} ·`;
}
