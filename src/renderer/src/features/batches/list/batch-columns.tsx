import { ActionIcon, Checkbox } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { MouseEvent } from "react";
import type { BatchQuality, BatchView } from "#contract";
import {
  AnsweredBy,
  CutName,
  formatCount,
  formatKnownCost,
  formatNumber,
  formatTimeLeft,
  ModelNames,
  RelativeTime,
  type TableColumn,
} from "../../../components/index.ts";
import { countEnded, describeCost } from "../describe-batch.ts";
import { describeLines, LinesBar } from "../lines-bar.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { describeFailedLines } from "../use-retry-batch.tsx";
import classes from "./batch-columns.module.css";
import type { BatchRow } from "./fold-batches.ts";
import { Quality } from "./quality.tsx";

/** What the cells of a row need of the list. */
export interface RowCommands {
  readonly isSelected: (batch: BatchView) => boolean;
  readonly onSelect: (batch: BatchView, event: MouseEvent) => void;
  readonly onFold: (batch: BatchView) => void;
  readonly onShowFailed: (batch: BatchView) => void;
  readonly renderMenu: (batch: BatchView) => React.ReactNode;
}

/** What there is to show beyond what every batch has. */
export interface KnownOfBatches {
  /** By the batch; of those that were graded or verified. */
  readonly qualities: ReadonlyMap<string, BatchQuality>;
  /** Whether one of them is under way. */
  readonly isRunning: boolean;
  /** Whether it is known what one of them cost. */
  readonly hasCost: boolean;
}

/** The room that the columns which are always there take at least, in CSS pixels. */
const leastWidth = 586;

/** What the table shows of each batch, the most telling first. The last column is the row's menu. */
export function createBatchColumns(
  commands: RowCommands,
  { qualities, isRunning, hasCost }: KnownOfBatches,
): readonly TableColumn<BatchRow>[] {
  // The others come in this order as there is room.
  let width = leastWidth;
  const roomFor = (column: number) => {
    width += column;
    return width;
  };
  const hasQuality = qualities.size > 0;
  const hideBelow = {
    quality: hasQuality ? roomFor(100) : 0,
    created: roomFor(112),
    model: roomFor(122),
    cost: hasCost ? roomFor(84) : 0,
    connection: roomFor(118),
    timeLeft: isRunning ? roomFor(100) : 0,
  };
  return [
    {
      id: "select",
      header: "Select",
      hideHeader: true,
      track: "34px",
      render: ({ batch }) => (
        <Checkbox
          size="xs"
          aria-label={`Select ${batch.name}`}
          checked={commands.isSelected(batch)}
          onClick={(event) => commands.onSelect(batch, event)}
          onChange={() => {}}
        />
      ),
    },
    {
      id: "name",
      header: "Name",
      track: "minmax(180px, 3fr)",
      sortable: true,
      render: (row) => <Name row={row} onFold={commands.onFold} />,
    },
    {
      id: "status",
      header: "Status",
      track: "116px",
      sortable: true,
      render: ({ shown }) => <StatusBadge batch={shown} isShort />,
    },
    {
      id: "progress",
      header: "Lines",
      track: "minmax(120px, 1.6fr)",
      sortable: true,
      render: ({ shown }) => <Lines batch={shown} />,
    },
    {
      id: "failed",
      header: "Failed",
      track: "86px",
      align: "end",
      sortable: true,
      render: ({ shown }) => <Failed batch={shown} onShow={commands.onShowFailed} />,
    },
    ...(isRunning ? [timeLeftColumn(hideBelow.timeLeft)] : []),
    ...(hasQuality ? [qualityColumn(qualities, hideBelow.quality)] : []),
    {
      id: "model",
      header: "Model",
      track: "minmax(122px, 1fr)",
      hideBelow: hideBelow.model,
      sortable: true,
      render: ({ batch: { models } }) => (
        <span className={classes.model}>
          <ModelNames models={models} />
        </span>
      ),
    },
    {
      id: "connection",
      header: "Connection",
      track: "minmax(118px, 0.7fr)",
      hideBelow: hideBelow.connection,
      sortable: true,
      render: ({ batch }) => (
        <span className={classes.model}>
          <AnsweredBy batch={batch} />
        </span>
      ),
    },
    ...(hasCost ? [costColumn(hideBelow.cost)] : []),
    {
      id: "created",
      header: "Created",
      track: "112px",
      align: "end",
      hideBelow: hideBelow.created,
      sortable: true,
      render: ({ batch: { times, connection } }) => (
        <span className={classes.soft}>
          <RelativeTime time={times.created} isReal={connection !== null} />
        </span>
      ),
    },
    {
      id: "menu",
      header: "Actions",
      hideHeader: true,
      track: "42px",
      align: "end",
      render: ({ batch }) => commands.renderMenu(batch),
    },
  ];
}

function timeLeftColumn(hideBelow: number): TableColumn<BatchRow> {
  return {
    id: "timeLeft",
    header: "Time left",
    track: "100px",
    align: "end",
    hideBelow,
    sortable: true,
    render: ({ batch: { timeLeft } }) =>
      timeLeft === null ? null : <span className={classes.soft}>{formatTimeLeft(timeLeft)}</span>,
  };
}

function qualityColumn(qualities: KnownOfBatches["qualities"], hideBelow: number): TableColumn<BatchRow> {
  return {
    id: "quality",
    header: "Quality",
    hint: "How many of the graded answers passed, else what the verification found.",
    track: "100px",
    align: "end",
    hideBelow,
    sortable: true,
    render: ({ batch: { id, isMock } }) => {
      const quality = qualities.get(id);
      return quality === undefined ? null : <Quality quality={quality} isMock={isMock} />;
    },
  };
}

function costColumn(hideBelow: number): TableColumn<BatchRow> {
  return {
    id: "cost",
    header: "Cost",
    track: "84px",
    align: "end",
    hideBelow,
    sortable: true,
    render: ({ shown }) => (
      <span className={classes.soft} title={describeCost(shown) ?? "No price is known"}>
        {shown.cost === null ? "–" : formatKnownCost(shown.cost)}
      </span>
    ),
  };
}

/** The name of a batch that belongs to another is indented from that one's name, whether they have a chevron or not. */
function indentOf({ depth, linked }: BatchRow): number {
  return depth * 14 + (depth > 0 && linked === 0 ? 24 : 0);
}

/** The name; before it what opens the batches that belong to it. */
function Name({ row, onFold }: { readonly row: BatchRow; readonly onFold: (batch: BatchView) => void }) {
  const { batch, linked, isOpen } = row;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <span className={classes.nameCell} style={{ paddingLeft: indentOf(row) }}>
      {linked > 0 ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={20}
          aria-label={`${isOpen ? "Hide" : "Show"} ${formatCount(linked, "batch", "batches")} of ${batch.name}`}
          aria-expanded={isOpen}
          onClick={() => onFold(batch)}
        >
          <Chevron size={14} />
        </ActionIcon>
      ) : null}
      <span className={classes.name}>
        <CutName name={batch.name} end={8} />
      </span>
      {linked > 0 && !isOpen ? <span className={classes.linked}>+{linked}</span> : null}
    </span>
  );
}

function Lines({ batch }: { readonly batch: BatchView }) {
  const { counts, status, problemCount, name } = batch;
  if (status === "failed") {
    return <span className={classes.problems}>{formatCount(problemCount, "problem")}</span>;
  }
  const ended = countEnded(batch);
  const text =
    counts.total === 0 || ended === counts.total
      ? formatNumber(counts.total)
      : `${formatNumber(ended)} of ${formatNumber(counts.total)}`;
  return (
    <span className={classes.lines} title={describeLines(batch)}>
      <span className={classes.bar}>
        <LinesBar batch={batch} label={`Progress of ${name}`} height={6} />
      </span>
      <span className={classes.count}>{counts.total === 0 ? "" : text}</span>
    </span>
  );
}

interface FailedProps {
  readonly batch: BatchView;
  readonly onShow: (batch: BatchView) => void;
}

/** How many lines failed or are damaged, as the way to them. */
function Failed({ batch, onShow }: FailedProps) {
  const { failed, damaged } = batch.counts;
  if (failed + damaged === 0) return null;
  const lines = describeFailedLines({ failed, damaged });
  return (
    <button
      type="button"
      className={classes.failed}
      aria-label={`Show ${lines} of ${batch.name}`}
      title={damaged === 0 ? undefined : lines}
      onClick={() => onShow(batch)}
    >
      {formatNumber(failed + damaged)}
    </button>
  );
}
