import { ActionIcon, Button, Menu, Tooltip, VisuallyHidden } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowRampRight,
  IconArrowsDiff,
  IconBandage,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconMasksTheater,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconStackPush,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import {
  type AnswerEnd,
  type BatchDetail,
  type BatchView,
  countLasting,
  describeEnds,
  describeMisfits,
  type EndCounts,
  findShortAnswers,
} from "#contract";
import { formatCount, HeadButton, RelativeTime } from "../../../components/index.ts";
import { useBatches, useMisfits, useResultSummary } from "../../../queries/batch-queries.ts";
import { canCancel, describeModels, isUnderWay, lookOfBatch, shareEnded, withRetries } from "../describe-batch.ts";
import { LinesBar } from "../lines-bar.tsx";
import { StatusBadge } from "../status-badge.tsx";
import { type DraftFromBatch, useDraftFromBatch } from "../use-draft-from-batch.ts";
import { useRemoveBatches } from "../use-remove-batches.tsx";
import { describeRetry, type UnansweredLines, useRetryBatches } from "../use-retry-batch.tsx";
import { BatchDeadline } from "./batch-deadline.tsx";
import { BatchFigures, type RunTab } from "./batch-figures.tsx";
import classes from "./batch-head.module.css";
import { BatchName } from "./batch-name.tsx";
import { useBatchPage } from "./batch-page.tsx";
import { ConnectionNotice, describeRemote } from "./connection-notice.tsx";
import { announceProgress, describeCounts, describeMerged, describePace } from "./describe-progress.ts";
import { RunDetails } from "./run-details.tsx";

export interface BatchHeadProps {
  /** How many retries its results are shown with; 0 for its own alone. */
  readonly mergedRetries: number;
  /** To the lines that failed. */
  readonly onShowFailed: () => void;
  /** To the answers that ended in one of these ways. */
  readonly onShowEnds: (ends: AnswerEnd[]) => void;
  /** To the answers that break the schemas of their requests. */
  readonly onShowMisfits: () => void;
  /** To what a run over the answers came to. */
  readonly onShowRun: (tab: RunTab) => void;
  /** Buttons for what is done with its results. */
  readonly resultActions: ReactNode;
}

/** The name of a batch, its state, and what can be done with it: one line, and a second one while it runs. */
export function BatchHead({
  mergedRetries,
  onShowFailed,
  onShowEnds,
  onShowMisfits,
  onShowRun,
  resultActions,
}: BatchHeadProps) {
  const { batch, onOpenBatch, onOpenDraft, onCancel, onCompare } = useBatchPage();
  const { status, models, connection, isMock, times } = batch;
  const { batches } = useBatches();
  const root = batch.link?.kind === "retry" ? batches.find(({ id }) => id === batch.link?.root) : undefined;
  const versions = listVersions(batch, batches);
  const drafting = useDraftFromBatch(onOpenDraft);
  const [isNaming, setIsNaming] = useState(false);
  const where = connection?.name ?? (isMock ? null : "this computer");
  const isMerged = mergedRetries > 0 && !isUnderWay(status);
  const { data: summary } = useResultSummary(batch.id, true, undefined, isMerged);
  const merged = isMerged && summary !== undefined ? describeMerged(summary, mergedRetries) : null;
  const outcome = merged?.outcome;
  const shown = merged === null || outcome === undefined ? batch : withRetries(batch, [], merged.left);
  const ends: EndCounts =
    isMerged && summary !== undefined
      ? Object.fromEntries(summary.ends.map(({ value, count }) => [value, count]))
      : (batch.ends ?? {});
  const short = findShortAnswers(ends);
  const misfitCount = useMisfits(batch, isMerged);
  const [misfits] = describeMisfits(misfitCount);
  const reused = batch.reused === 0 ? null : `${formatCount(batch.reused, "answer")} reused`;
  return (
    <header className={classes.root}>
      <div className={classes.top}>
        <BatchName batch={batch} isEditing={isNaming} onEditing={setIsNaming} />
        <StatusBadge batch={shown} outcome={outcome} onFailed={onShowFailed} />
        <RunDetails batch={batch} />
        {short === null ? null : (
          <button
            type="button"
            className={classes.short}
            title={`${describeEnds(ends).join(", ")}. Show these answers.`}
            onClick={() => onShowEnds(short.ends)}
          >
            {short.words}
          </button>
        )}
        {misfits === undefined ? null : (
          <button
            type="button"
            className={classes.short}
            title={`${misfitCount === null ? "Answers that break their schema could not be counted" : misfits}. Show these answers.`}
            onClick={onShowMisfits}
          >
            {misfits}
          </button>
        )}
        <span className={classes.about}>
          <span className={classes.aboutText}>
            {root === undefined ? null : (
              <button type="button" className={classes.rootLink} onClick={() => onOpenBatch(root.id)}>
                Retry of {root.name}
              </button>
            )}
            {models.length > 0 ? <span title={models.join("\n")}>{describeModels(models)}, </span> : null}
            {[where, reused].map((part) => (part === null ? null : `${part}, `))}
            <RelativeTime time={times.created} isReal={batch.connection !== null} />
          </span>
        </span>
        {isMock && status !== "failed" ? (
          <Tooltip label="Answers are made up by the mock server">
            <span className={classes.mock}>
              <IconMasksTheater size={14} aria-hidden />
              <span className={classes.mockWord}>Mock answers</span>
            </span>
          </Tooltip>
        ) : null}
        <BatchFigures onShowRun={onShowRun} />
        <div className={classes.actions}>
          {canCancel(batch) ? (
            <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={onCancel} />
          ) : null}
          {batch.isReadOnly ? null : <RetryButtons />}
          {status === "failed" && !batch.isReadOnly ? (
            <HeadButton
              label="Mend the lines"
              icon={<IconBandage size={15} />}
              loading={drafting.isPending}
              onClick={() => drafting.open(batch.id, "lines")}
            />
          ) : null}
          {versions.length < 2 || batch.counts.total === 0 ? null : (
            <HeadButton
              label="Compare versions"
              word="Compare"
              icon={<IconArrowsDiff size={15} />}
              onClick={() => onCompare(versions)}
            />
          )}
          {resultActions}
          {batch.isReadOnly ? null : <MoreMenu drafting={drafting} root={root} onRename={() => setIsNaming(true)} />}
        </div>
      </div>
      {isUnderWay(status) ? <Progress batch={batch} /> : null}
      <ConnectionNotice batch={batch} onCancel={onCancel} />
      {batch.isReadOnly ? (
        <p className={classes.readOnly}>
          A job of the command line, to be read and exported here. <code>sheaf status {batch.id}</code>
        </p>
      ) : null}
      <VisuallyHidden role="status">
        {outcome === undefined ? announceProgress(shown, shareEnded(batch)) : `${lookOfBatch(shown).word}, ${outcome}`}
      </VisuallyHidden>
    </header>
  );
}

const retryChoices: readonly UnansweredLines[] = ["failed", "never_ran"];

/** Asks again what failed, or what never ran: as it was, or elsewhere. */
function RetryButtons() {
  const { batch, onOpenBatch, onAskAgain } = useBatchPage();
  const retrying = useRetryBatches(([retry]) => retry && onOpenBatch(retry.id));
  const choices = retryChoices.flatMap((which) => {
    const label = describeRetry(batch.left, which);
    return label === null ? [] : [{ which, label }];
  });
  const { cut, empty, errors } = batch.left;
  // Only the dialog offers these: with more tokens, or to another model.
  const hasOthers = cut + empty + countLasting(errors) > 0;
  const paid = describeRetry(batch.left, "may_be_paid");
  if (choices.length === 0 && !hasOthers && paid === null) return null;
  if (choices.length === 0 && paid === null) {
    return <HeadButton label="Ask again" icon={<IconRefresh size={15} />} onClick={() => onAskAgain()} />;
  }
  return (
    <>
      <Button.Group>
        {choices.map(({ which, label }) => (
          <HeadButton
            key={which}
            label={label}
            word={label.replace(/ lines?$/, "")}
            icon={<IconRefresh size={15} />}
            loading={retrying.isPending}
            onClick={() => retrying.retry([batch], which)}
          />
        ))}
        <Menu position="bottom-end" width={260} returnFocus={false}>
          <Menu.Target>
            {choices.length === 0 ? (
              <Button leftSection={<IconRefresh size={15} />} rightSection={<IconChevronDown size={14} />}>
                Ask again
              </Button>
            ) : (
              <Button className={classes.more} aria-label="More ways to retry" title="More ways to retry">
                <IconChevronDown size={14} />
              </Button>
            )}
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconArrowRampRight size={16} />} onClick={() => onAskAgain()}>
              {hasOthers ? "Choose what to ask…" : "Ask again elsewhere…"}
            </Menu.Item>
            {paid === null ? null : (
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retrying.retry([batch], "may_be_paid")}>
                {paid}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
      {retrying.dialog}
    </>
  );
}

interface MoreMenuProps {
  readonly drafting: DraftFromBatch;
  /** The batch that it is a retry of, where there is one. */
  readonly root: BatchView | undefined;
  readonly onRename: () => void;
}

/** What is done more rarely. */
function MoreMenu({ drafting, root, onRename }: MoreMenuProps) {
  const { batch, onBack, onOpenBatch, onCompare } = useBatchPage();
  const removeBatches = useRemoveBatches();
  return (
    <Menu position="bottom-end" width={230} returnFocus={false}>
      <Menu.Target>
        <Tooltip label="More">
          <ActionIcon variant="default" size={32} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconStackPush size={16} />} onClick={() => drafting.open(batch.id, "copy")}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconBandage size={16} />} onClick={() => drafting.open(batch.id, "lines")}>
          Open its lines in Build
        </Menu.Item>
        {batch.counts.total === 0 ? null : (
          <Menu.Item leftSection={<IconArrowsDiff size={16} />} onClick={() => onCompare([batch.id])}>
            Compare with…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
          Rename
        </Menu.Item>
        {root === undefined ? null : (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => onOpenBatch(root.id)}>
            Open the batch it retries
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void navigator.clipboard.writeText(batch.id)}>
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
      </Menu.Dropdown>
    </Menu>
  );
}

/** How far a batch is, how fast it goes, and where it is at a service elsewhere. */
function Progress({ batch }: { readonly batch: BatchDetail }) {
  const { count, rest } = describeCounts(batch);
  return (
    <div className={classes.progress}>
      <LinesBar batch={batch} label="Progress" height={8} />
      <span className={classes.counts}>
        <b>{count}</b> <span className={classes.soft}>{rest}</span>
      </span>
      <span className={classes.pace}>{[describeRemote(batch), describePace(batch)].filter(Boolean).join("  ·  ")}</span>
      <BatchDeadline batch={batch} />
    </div>
  );
}

/** The batches of one submit to several models, the first one first. `batches` are newest first. */
function listVersions({ id, link }: BatchView, batches: readonly BatchView[]): string[] {
  const root = link?.kind === "version" ? link.root : id;
  return batches
    .filter((other) => other.id === root || (other.link?.kind === "version" && other.link.root === root))
    .map((other) => other.id)
    .reverse();
}
