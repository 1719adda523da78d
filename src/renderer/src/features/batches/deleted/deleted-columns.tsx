import { Button } from "@mantine/core";
import { batchStatusTable, type DeletedBatchView } from "#contract";
import {
  CutName,
  formatBytes,
  formatCount,
  formatExactTime,
  formatNumber,
  RelativeTime,
  type TableColumn,
} from "../../../components/index.ts";
import classes from "./deleted-batches.module.css";

const day = 24 * 60 * 60_000;

/** What the table shows of each deleted batch. */
export function createDeletedColumns({
  now,
  onRestore,
  onPurge,
}: {
  /** In Unix milliseconds. */
  readonly now: number;
  readonly onRestore: (batch: DeletedBatchView) => void;
  readonly onPurge: (batch: DeletedBatchView) => void;
}): readonly TableColumn<DeletedBatchView>[] {
  return [
    {
      id: "name",
      header: "Name",
      track: "minmax(160px, 3fr)",
      render: ({ name, retries }) => (
        <span className={classes.name}>
          <CutName name={name} end={8} />
          {retries > 0 ? <span className={classes.soft}>+{formatCount(retries, "retry", "retries")}</span> : null}
        </span>
      ),
    },
    {
      id: "status",
      header: "Status",
      track: "100px",
      hideBelow: 900,
      render: ({ status }) => <span className={classes.soft}>{batchStatusTable[status].word}</span>,
    },
    {
      id: "answers",
      header: "Answers",
      track: "112px",
      align: "end",
      hideBelow: 760,
      render: ({ completed, total }) => (
        <span className={classes.soft}>
          {completed === total ? formatNumber(total) : `${formatNumber(completed)} of ${formatNumber(total)}`}
        </span>
      ),
    },
    {
      id: "connection",
      header: "Connection",
      track: "minmax(118px, 1fr)",
      hideBelow: 1_000,
      render: ({ connection }) => (
        <span className={classes.soft}>
          <CutName name={connection ?? "This computer"} end={4} />
        </span>
      ),
    },
    {
      id: "bytes",
      header: "Size",
      track: "84px",
      align: "end",
      hideBelow: 560,
      render: ({ bytes }) => <span className={classes.soft}>{formatBytes(bytes)}</span>,
    },
    {
      id: "deleted",
      header: "Deleted",
      track: "112px",
      align: "end",
      hideBelow: 660,
      render: ({ deletedAt }) => (
        <span className={classes.soft}>
          <RelativeTime time={deletedAt} isReal />
        </span>
      ),
    },
    {
      id: "left",
      header: "Time left",
      track: "84px",
      align: "end",
      render: ({ removedAt }) => (
        <time
          className={classes.soft}
          dateTime={new Date(removedAt).toISOString()}
          title={`Deleted for good on ${formatExactTime(removedAt)}`}
        >
          {describeLeft(removedAt - now)}
        </time>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      hideHeader: true,
      track: "214px",
      align: "end",
      render: (batch) => (
        <span className={classes.actions}>
          <Button size="xs" aria-label={`Restore ${batch.name}`} onClick={() => onRestore(batch)}>
            Restore
          </Button>
          <Button size="xs" color="red" aria-label={`Delete ${batch.name} now`} onClick={() => onPurge(batch)}>
            Delete now
          </Button>
        </span>
      ),
    },
  ];
}

/** Milliseconds that a batch can still be restored, in words. */
function describeLeft(left: number): string {
  if (left <= 0) return "due";
  return left < day ? "< 1 day" : formatCount(Math.ceil(left / day), "day");
}
