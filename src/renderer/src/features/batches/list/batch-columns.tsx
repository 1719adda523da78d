import { ActionIcon, Checkbox, Menu } from "@mantine/core";
import {
  IconChevronDown,
  IconChevronRight,
  IconCopy,
  IconDots,
  IconDownload,
  IconPlayerStop,
  IconRefresh,
  IconStackPush,
  IconTableShortcut,
  IconTrash,
} from "@tabler/icons-react";
import type { MouseEvent } from "react";
import type { BatchView } from "#contract";
import {
  formatCost,
  formatCount,
  formatNumber,
  formatTimeLeft,
  RelativeTime,
  type TableColumn,
} from "../../../components/index.ts";
import { canCancel, countEnded, describeCost, describeModels, isUnderWay } from "../describe-batch.ts";
import { describeLines, LinesBar } from "../lines-bar.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { describeRetry, type RetryChoice } from "../use-retry-batch.tsx";
import classes from "./batch-columns.module.css";
import type { BatchRow } from "./fold-batches.ts";

/** What the cells of a row need of the list. */
export interface RowCommands {
  readonly isSelected: (batch: BatchView) => boolean;
  readonly onSelect: (batch: BatchView, event: MouseEvent) => void;
  readonly onFold: (batch: BatchView) => void;
  readonly onShowFailed: (batch: BatchView) => void;
  readonly renderMenu: (batch: BatchView) => React.ReactNode;
}

/** What the table shows of each batch, the most telling first. The last column is the row's menu. */
export function createBatchColumns(commands: RowCommands): readonly TableColumn<BatchRow>[] {
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
      track: "minmax(140px, 2fr)",
      sortable: true,
      render: (row) => <Name row={row} onFold={commands.onFold} />,
    },
    {
      id: "status",
      header: "Status",
      track: "116px",
      sortable: true,
      render: ({ batch }) => (
        <StatusBadge status={batch.status} hasFailures={batch.counts.failed > 0} waiting={batch.waiting} />
      ),
    },
    {
      id: "progress",
      header: "Lines",
      track: "minmax(176px, 1fr)",
      sortable: true,
      render: ({ batch }) => <Lines batch={batch} />,
    },
    {
      id: "failed",
      header: "Failed",
      track: "86px",
      align: "end",
      sortable: true,
      render: ({ batch }) => <Failed batch={batch} onShow={commands.onShowFailed} />,
    },
    {
      id: "timeLeft",
      header: "Time left",
      track: "100px",
      align: "end",
      hideBelow: 980,
      sortable: true,
      render: ({ batch: { timeLeft } }) =>
        timeLeft === null ? null : <span className={classes.soft}>{formatTimeLeft(timeLeft)}</span>,
    },
    {
      id: "model",
      header: "Model",
      track: "minmax(110px, 1fr)",
      hideBelow: 860,
      sortable: true,
      render: ({ batch: { models } }) => (
        <span className={classes.model} title={models.join("\n")}>
          {describeModels(models)}
        </span>
      ),
    },
    {
      id: "connection",
      header: "Connection",
      track: "minmax(124px, 0.7fr)",
      hideBelow: 1_080,
      sortable: true,
      render: ({ batch: { connection, waiting } }) => (
        <span className={classes.model} title={waiting ?? undefined} data-waits={waiting !== null || undefined}>
          {connection?.name ?? "This computer"}
        </span>
      ),
    },
    {
      id: "cost",
      header: "Cost",
      track: "84px",
      align: "end",
      hideBelow: 920,
      sortable: true,
      render: ({ batch }) => (
        <span className={classes.soft} title={describeCost(batch) ?? "No price is known"}>
          {batch.cost === null ? "–" : formatCost(batch.cost.usd)}
        </span>
      ),
    },
    {
      id: "created",
      header: "Created",
      track: "112px",
      align: "end",
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

/** The name; before it what opens the batches that belong to it. */
function Name({ row, onFold }: { readonly row: BatchRow; readonly onFold: (batch: BatchView) => void }) {
  const { batch, depth, linked, isOpen } = row;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <span className={classes.nameCell} style={{ paddingLeft: depth * 18 }}>
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
      <span className={classes.name} title={batch.name} dir="auto">
        {batch.name}
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

/** How many lines failed, as the way to them. */
function Failed({ batch, onShow }: FailedProps) {
  const { failed } = batch.counts;
  if (failed === 0) return null;
  return (
    <button
      type="button"
      className={classes.failed}
      aria-label={`Show ${formatCount(failed, "failed line")} of ${batch.name}`}
      onClick={() => onShow(batch)}
    >
      {formatNumber(failed)}
    </button>
  );
}

export interface RowMenuProps {
  readonly batch: BatchView;
  readonly onOpen: (batch: BatchView) => void;
  readonly onExport: (batch: BatchView) => void;
  readonly onCancel: (batch: BatchView) => void;
  readonly onRetry: (batch: BatchView, which: RetryChoice) => void;
  readonly onDuplicate: (batch: BatchView) => void;
  readonly onRemove: (batch: BatchView) => void;
}

/** What can be done with a batch from its row. */
export function RowMenu({ batch, onOpen, onExport, onCancel, onRetry, onDuplicate, onRemove }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={230} withinPortal>
      <Menu.Target>
        <ActionIcon
          className={classes.menuButton}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={`Actions for ${batch.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTableShortcut size={16} />} onClick={() => onOpen(batch)}>
          Open
        </Menu.Item>
        {(["failed", "never_ran"] as const).map((which) => {
          const label = describeRetry(batch.counts, which);
          return label === null ? null : (
            <Menu.Item key={which} leftSection={<IconRefresh size={16} />} onClick={() => onRetry(batch, which)}>
              {label}
            </Menu.Item>
          );
        })}
        <Menu.Item leftSection={<IconStackPush size={16} />} onClick={() => onDuplicate(batch)}>
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          disabled={countEnded(batch) === 0}
          onClick={() => onExport(batch)}
        >
          Export results
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void navigator.clipboard.writeText(batch.id)}>
          Copy batch id
        </Menu.Item>
        <Menu.Divider />
        {isUnderWay(batch.status) ? (
          <Menu.Item
            leftSection={<IconPlayerStop size={16} />}
            color="red"
            disabled={!canCancel(batch.status)}
            onClick={() => onCancel(batch)}
          >
            Cancel batch
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => onRemove(batch)}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
