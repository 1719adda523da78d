import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowsDiff,
  IconBandage,
  IconCopy,
  IconDots,
  IconPencil,
  IconStackPush,
  IconTrash,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { copyText } from "../../../components/index.ts";
import { useBatches } from "../../../queries/batch-queries.ts";
import { findRetried, isUnderWay, listVersions } from "../describe-batch.ts";
import { useRemoveBatches } from "../use-remove-batches.tsx";
import { useBatchPage } from "./batch-page.tsx";

interface MoreMenuProps {
  readonly onDraft: (as: "copy" | "lines") => void;
  /** The first items. */
  readonly children: ReactNode;
}

/** What is done more rarely. */
export function MoreMenu({ onDraft, children }: MoreMenuProps) {
  const { batch, onBack, onOpenBatch, onCompare, isNaming, onNaming } = useBatchPage();
  const { batches } = useBatches();
  const removeBatches = useRemoveBatches();
  const root = findRetried(batch, batches);
  const versions = listVersions(batch, batches);
  const hasVersions = versions.length > 1;
  return (
    <Menu position="bottom-end" width={250} returnFocus={!isNaming}>
      <Tooltip label="More">
        <Menu.Target>
          <ActionIcon variant="default" size={28} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {children}
        {batch.counts.total === 0 ? null : (
          <Menu.Item
            leftSection={<IconArrowsDiff size={16} />}
            onClick={() => onCompare(hasVersions ? versions.map(({ id }) => id) : [batch.id])}
          >
            {hasVersions ? "Compare versions" : "Compare with…"}
          </Menu.Item>
        )}
        {batch.isReadOnly ? null : (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconStackPush size={16} />} onClick={() => onDraft("copy")}>
              Duplicate
            </Menu.Item>
            <Menu.Item leftSection={<IconBandage size={16} />} onClick={() => onDraft("lines")}>
              Open its lines in Build
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onNaming(true)}>
              Rename
            </Menu.Item>
            {root === undefined ? null : (
              <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => onOpenBatch(root.id)}>
                Open the batch it retries
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyText(batch.id, "The batch id")}>
              Copy batch id
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconTrash size={16} />}
              color="red"
              disabled={isUnderWay(batch.status)}
              onClick={() => {
                removeBatches([batch]);
                onBack();
              }}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
