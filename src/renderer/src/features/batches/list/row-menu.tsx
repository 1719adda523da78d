import { ActionIcon, Menu } from "@mantine/core";
import { IconCopy, IconDots, IconDownload, IconPlayerStop, IconTableShortcut } from "@tabler/icons-react";
import type { BatchView } from "#contract";
import { countEnded } from "../counts.ts";
import { canCancel } from "../status.ts";
import classes from "./row-menu.module.css";

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
          className={classes.button}
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
