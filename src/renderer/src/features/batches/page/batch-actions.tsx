import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowRampRight,
  IconArrowsDiff,
  IconBandage,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconStackPush,
  IconTrash,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { countLasting } from "#contract";
import { HeadButton } from "../../../components/index.ts";
import { useBatches } from "../../../queries/batch-queries.ts";
import { canCancel, isUnderWay } from "../describe-batch.ts";
import { useDraftFromBatch } from "../use-draft-from-batch.ts";
import { useRemoveBatches } from "../use-remove-batches.tsx";
import { describeRetry, type UnansweredLines, useRetryBatches } from "../use-retry-batch.tsx";
import classes from "./batch-actions.module.css";
import { findRetried, listVersions } from "./batch-facts.tsx";
import { useBatchPage } from "./batch-page.tsx";

export interface BatchActionsProps {
  /** The button that exports its results. */
  readonly exportButton: ReactNode;
  /** What else is done with its results, as items of the menu. */
  readonly resultItems: ReactNode;
}

/** What can be done with a batch: what is done most as buttons, everything else in one menu. */
export function BatchActions({ exportButton, resultItems }: BatchActionsProps) {
  const { batch, onOpenDraft, onCancel } = useBatchPage();
  const drafting = useDraftFromBatch(onOpenDraft);
  const ways = useWaysToRetry();
  // While it runs, its cancel is the button.
  const isRunning = canCancel(batch);
  const first = isRunning ? undefined : ways.list[0];
  const others = ways.list.filter((way) => way !== first);
  return (
    <div className={classes.root}>
      {isRunning ? <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={onCancel} /> : null}
      {first === undefined ? null : (
        <HeadButton
          label={first.label}
          word={first.word}
          icon={<IconRefresh size={15} />}
          loading={ways.isPending}
          onClick={first.run}
        />
      )}
      {batch.status === "failed" && !batch.isReadOnly ? (
        <HeadButton
          label="Mend the lines"
          icon={<IconBandage size={15} />}
          loading={drafting.isPending}
          onClick={() => drafting.open(batch.id, "lines")}
        />
      ) : null}
      {exportButton}
      {batch.isReadOnly && batch.counts.total === 0 ? null : (
        <MoreMenu onDraft={(as) => drafting.open(batch.id, as)}>
          {others.map(({ label, isElsewhere, run }) => (
            <Menu.Item
              key={label}
              leftSection={isElsewhere ? <IconArrowRampRight size={16} /> : <IconRefresh size={16} />}
              onClick={run}
            >
              {label}
            </Menu.Item>
          ))}
          {others.length === 0 ? null : <Menu.Divider />}
          {resultItems}
        </MoreMenu>
      )}
      {ways.dialog}
    </div>
  );
}

interface WayToRetry {
  readonly label: string;
  /** The part of the label that a button shows. */
  readonly word: string;
  readonly isElsewhere?: boolean;
  readonly run: () => void;
}

const unanswered: readonly UnansweredLines[] = ["failed", "never_ran"];

/** The ways to ask lines of the batch again, the one that is used most first. */
function useWaysToRetry() {
  const { batch, onOpenBatch, onAskAgain } = useBatchPage();
  const { retry, isPending, dialog } = useRetryBatches(([made]) => made && onOpenBatch(made.id));
  const toWay = (which: UnansweredLines): WayToRetry[] => {
    const label = describeRetry(batch.left, which);
    if (label === null) return [];
    return [
      {
        label,
        word: label.replace(/^(Retry [\d,]+).*?(…?)$/, "$1$2").replace(/ lines?$/, ""),
        run: () => retry([batch], which),
      },
    ];
  };
  const plain = unanswered.flatMap(toWay);
  const { cut, empty, errors } = batch.left;
  // Only the dialog offers these: with more tokens, or to another model.
  const hasOthers = cut + empty + countLasting(errors) > 0;
  const choice: WayToRetry = {
    label: plain.length === 0 ? "Ask again" : hasOthers ? "Choose what to ask…" : "Ask again elsewhere…",
    word: "Ask again",
    isElsewhere: true,
    run: () => onAskAgain(),
  };
  const paid = toWay("may_be_paid");
  const isAny = plain.length > 0 || hasOthers || paid.length > 0;
  return { list: isAny && !batch.isReadOnly ? [...plain, choice, ...paid] : [], isPending, dialog };
}

interface MoreMenuProps {
  readonly onDraft: (as: "copy" | "lines") => void;
  /** The first items. */
  readonly children: ReactNode;
}

/** What is done more rarely. */
function MoreMenu({ onDraft, children }: MoreMenuProps) {
  const { batch, onBack, onOpenBatch, onCompare, isNaming, onNaming } = useBatchPage();
  const { batches } = useBatches();
  const removeBatches = useRemoveBatches();
  const root = findRetried(batch, batches);
  const versions = listVersions(batch, batches);
  const hasVersions = versions.length > 1;
  return (
    <Menu position="bottom-end" width={250} returnFocus={!isNaming}>
      <Menu.Target>
        <Tooltip label="More">
          <ActionIcon variant="default" size={28} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
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
            <Menu.Item
              leftSection={<IconCopy size={16} />}
              onClick={() => void navigator.clipboard.writeText(batch.id)}
            >
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
