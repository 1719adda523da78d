import { ActionIcon, Menu } from "@mantine/core";
import { IconCopy, IconDots, IconDownload, IconPlayerStop, IconTableShortcut } from "@tabler/icons-react";
import type { BatchView } from "#contract";
import {
  formatNumber,
  formatRate,
  formatTimeLeft,
  ProgressBar,
  RelativeTime,
  type TableColumn,
} from "../../../components/index.ts";
import { canCancel, countEnded, describeModels, isUnderWay, shareEnded } from "../describe-batch.ts";
import { StatusBadge } from "../status-badge.tsx";
import classes from "./batch-columns.module.css";

/** What the table shows of each batch, the most telling first. The last column is the row's menu. */
export function createBatchColumns(
  renderMenu: (batch: BatchView) => React.ReactNode,
): readonly TableColumn<BatchView>[] {
  return [
    {
      id: "name",
      header: "Name",
      track: "minmax(150px, 2fr)",
      sortable: true,
      render: ({ name }) => (
        <span className={classes.name} title={name}>
          {name}
        </span>
      ),
    },
    {
      id: "status",
      header: "Status",
      track: "124px",
      sortable: true,
      render: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: "progress",
      header: "Lines",
      track: "minmax(200px, 1fr)",
      sortable: true,
      render: (batch) => <Lines batch={batch} />,
    },
    {
      id: "failed",
      header: "Failed",
      track: "72px",
      align: "end",
      hideBelow: 860,
      render: ({ counts }) =>
        counts.failed === 0 ? null : <span className={classes.failed}>{formatNumber(counts.failed)}</span>,
    },
    {
      id: "rate",
      header: "Rate",
      track: "92px",
      align: "end",
      hideBelow: 980,
      sortable: true,
      render: ({ rate }) => (rate === null ? null : <span className={classes.soft}>{formatRate(rate)}/s</span>),
    },
    {
      id: "timeLeft",
      header: "Time left",
      track: "96px",
      align: "end",
      hideBelow: 780,
      render: ({ timeLeft }) =>
        timeLeft === null ? null : <span className={classes.soft}>{formatTimeLeft(timeLeft)}</span>,
    },
    {
      id: "model",
      header: "Model",
      track: "minmax(120px, 1fr)",
      hideBelow: 1_080,
      sortable: true,
      render: ({ models }) => (
        <span className={classes.model} title={models.join("\n")}>
          {describeModels(models)}
        </span>
      ),
    },
    {
      id: "created",
      header: "Created",
      track: "122px",
      align: "end",
      sortable: true,
      render: ({ times }) => (
        <span className={classes.soft}>
          <RelativeTime time={times.created} />
        </span>
      ),
    },
    { id: "menu", header: "Actions", hideHeader: true, track: "42px", align: "end", render: renderMenu },
  ];
}

function Lines({ batch }: { readonly batch: BatchView }) {
  const { counts, status, problemCount, name } = batch;
  if (status === "failed") {
    return (
      <span className={classes.failed}>
        {problemCount === 1 ? "1 problem" : `${formatNumber(problemCount)} problems`}
      </span>
    );
  }
  const ended = countEnded(batch);
  const whole = ended === counts.total && counts.total > 0;
  const text =
    counts.total === 0
      ? ""
      : whole
        ? formatNumber(counts.total)
        : `${formatNumber(ended)} of ${formatNumber(counts.total)}`;
  return (
    <span className={classes.lines}>
      <span className={classes.count}>{text}</span>
      {status === "completed" ? null : (
        <span className={classes.bar}>
          <ProgressBar
            label={`Progress of ${name}`}
            share={shareEnded(batch)}
            text={`${text} lines`}
            tone={isUnderWay(status) ? "active" : "quiet"}
            height={5}
          />
        </span>
      )}
    </span>
  );
}

export interface RowMenuProps {
  readonly batch: BatchView;
  readonly onOpen: (batch: BatchView) => void;
  readonly onExport: (batch: BatchView) => void;
  readonly onCancel: (batch: BatchView) => void;
}

/** What can be done with a batch from its row. */
export function RowMenu({ batch, onOpen, onExport, onCancel }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={200} withinPortal>
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
        <Menu.Item
          leftSection={<IconPlayerStop size={16} />}
          color="red"
          disabled={!canCancel(batch.status)}
          onClick={() => onCancel(batch)}
        >
          Cancel batch
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
