import { ActionIcon, Menu } from "@mantine/core";
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconPlayerStop,
  IconRefresh,
  IconStackPush,
  IconTableShortcut,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import type { BatchView } from "#contract";
import { copyText } from "../../../components/index.ts";
import { useLeft } from "../../../queries/batch-queries.ts";
import { canCancel, countEnded, isUnderWay } from "../describe-batch.ts";
import { describeRetry, type UnansweredLines } from "../use-retry-batch.tsx";
import classes from "./batch-columns.module.css";

export interface RowMenuProps {
  readonly batch: BatchView;
  readonly onOpen: (batch: BatchView) => void;
  readonly onExport: (batch: BatchView) => void;
  readonly onCancel: (batch: BatchView) => void;
  readonly onRetry: (batch: BatchView, which: UnansweredLines) => void;
  readonly onDuplicate: (batch: BatchView) => void;
  readonly onRemove: (batch: BatchView) => void;
}

/** What can be done with a batch from its row. */
export function RowMenu({ batch, onOpen, onExport, onCancel, onRetry, onDuplicate, onRemove }: RowMenuProps) {
  const [opened, setOpened] = useState(false);
  const left = useLeft([batch], opened);
  return (
    <Menu position="bottom-end" width={230} withinPortal opened={opened} onChange={setOpened}>
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
          const label = batch.isReadOnly ? null : describeRetry(left, which);
          return label === null ? null : (
            <Menu.Item key={which} leftSection={<IconRefresh size={16} />} onClick={() => onRetry(batch, which)}>
              {label}
            </Menu.Item>
          );
        })}
        <Menu.Item
          leftSection={<IconStackPush size={16} />}
          disabled={batch.isReadOnly}
          onClick={() => onDuplicate(batch)}
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          disabled={countEnded(batch) === 0}
          onClick={() => onExport(batch)}
        >
          Export results
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyText(batch.id, "The batch id")}>
          Copy batch id
        </Menu.Item>
        <Menu.Divider />
        {isUnderWay(batch.status) ? (
          <Menu.Item
            leftSection={<IconPlayerStop size={16} />}
            color="red"
            disabled={!canCancel(batch)}
            onClick={() => onCancel(batch)}
          >
            Cancel batch
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="red"
            disabled={batch.isReadOnly}
            onClick={() => onRemove(batch)}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
