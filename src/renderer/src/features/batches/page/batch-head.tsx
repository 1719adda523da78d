import { ActionIcon, Button, Menu, Tooltip, VisuallyHidden } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowRampRight,
  IconArrowsDiff,
  IconBandage,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconDownload,
  IconMasksTheater,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconRulerMeasure,
  IconShieldCheck,
  IconStackPush,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { BatchDetail } from "#contract";
import { formatCount, RelativeTime } from "../../../components/index.ts";
import { useResultSummary } from "../batch-queries.ts";
import {
  canCancel,
  countEnded,
  describeCost,
  describeModels,
  hasAnswers,
  isUnderWay,
  lookOf,
  shareEnded,
} from "../describe-batch.ts";
import { LinesBar } from "../lines-bar.tsx";
import { StatusBadge } from "../status-badge.tsx";
import type { DraftFromBatch } from "../use-draft-from-batch.ts";
import { describeRetry, type RetryBatches, type RetryChoice } from "../use-retry-batch.tsx";
import { BatchDeadline } from "./batch-deadline.tsx";
import classes from "./batch-head.module.css";
import { BatchName } from "./batch-name.tsx";
import { ConnectionNotice, describeRemote } from "./connection-notice.tsx";
import { announceProgress, describeCounts, describeMerged, describePace } from "./describe-progress.ts";
import { RunDetails } from "./run-details.tsx";

export interface BatchHeadProps {
  readonly batch: BatchDetail;
  /** The name of the batch that it is a retry of; null where it is none, or that is gone. */
  readonly rootName: string | null;
  readonly onOpenRoot: () => void;
  /** How many retries its results are shown with; 0 for its own alone. */
  readonly mergedRetries: number;
  readonly onExport: () => void;
  readonly onCancel: () => void;
  readonly onVerify: () => void;
  readonly isVerifying: boolean;
  readonly onGrade: () => void;
  readonly isGrading: boolean;
  readonly retrying: RetryBatches;
  /** Asks lines again of another model, or elsewhere. */
  readonly onRetryElsewhere: () => void;
  readonly drafting: DraftFromBatch;
  readonly onCompare: () => void;
  /** Null where it was submitted to one model only. */
  readonly onCompareVersions: (() => void) | null;
  readonly onRemove: () => void;
  /** To the lines that failed. */
  readonly onShowFailed: () => void;
}

/** What a batch is, how it stands, and what can be done with it: one line, and a second one while it runs. */
export function BatchHead({ batch, mergedRetries, ...actions }: BatchHeadProps) {
  const { status, models, connection, isMock, times } = batch;
  const [isNaming, setIsNaming] = useState(false);
  const where = connection?.name ?? (isMock ? null : "this computer");
  const cost = describeCost(batch);
  const isMerged = mergedRetries > 0 && !isUnderWay(status);
  const { data: summary } = useResultSummary(batch.id, true, undefined, isMerged);
  const { failed, outcome } =
    isMerged && summary !== undefined
      ? describeMerged(summary, mergedRetries)
      : { failed: batch.counts.failed, outcome: undefined };
  const reused = batch.taken === 0 ? null : `${formatCount(batch.taken, "answer")} reused`;
  return (
    <header className={classes.root}>
      <div className={classes.top}>
        <BatchName batch={batch} isEditing={isNaming} onEditing={setIsNaming} />
        <StatusBadge
          status={status}
          waiting={batch.waiting}
          failed={failed}
          outcome={outcome}
          onFailed={actions.onShowFailed}
        />
        <RunDetails batch={batch} />
        <span className={classes.about}>
          {actions.rootName === null ? null : (
            <button type="button" className={classes.rootLink} onClick={actions.onOpenRoot}>
              Retry of {actions.rootName}
            </button>
          )}
          {models.length > 0 ? <span title={models.join("\n")}>{describeModels(models)}, </span> : null}
          {[where, cost, reused].map((part) => (part === null ? null : `${part}, `))}
          <RelativeTime time={times.created} isReal={batch.connection !== null} />
        </span>
        {isMock && status !== "failed" ? (
          <Tooltip label="Answers are made up by the mock server">
            <span className={classes.mock}>
              <IconMasksTheater size={14} aria-hidden />
              <span className={classes.mockWord}>Mock answers</span>
            </span>
          </Tooltip>
        ) : null}
        <div className={classes.actions}>
          {canCancel(status) ? (
            <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={actions.onCancel} />
          ) : null}
          <RetryButtons batch={batch} {...actions} />
          {status === "failed" ? (
            <HeadButton
              label="Mend the lines"
              icon={<IconBandage size={15} />}
              loading={actions.drafting.isPending}
              onClick={() => actions.drafting.open(batch.id, "lines")}
            />
          ) : null}
          {actions.onCompareVersions === null || batch.counts.total === 0 ? null : (
            <HeadButton
              label="Compare versions"
              icon={<IconArrowsDiff size={15} />}
              onClick={actions.onCompareVersions}
            />
          )}
          {hasAnswers(batch) ? (
            <>
              <HeadButton
                label="Verify answers"
                word="Verify"
                icon={<IconShieldCheck size={15} />}
                onClick={actions.onVerify}
                disabled={actions.isVerifying}
              />
              <HeadButton
                label="Grade answers"
                word="Grade"
                icon={<IconRulerMeasure size={15} />}
                onClick={actions.onGrade}
                disabled={actions.isGrading}
              />
            </>
          ) : null}
          {status === "failed" ? null : (
            <HeadButton
              label="Export"
              icon={<IconDownload size={15} />}
              onClick={actions.onExport}
              disabled={countEnded(batch) === 0}
            />
          )}
          <MoreMenu batch={batch} onRename={() => setIsNaming(true)} {...actions} />
        </div>
      </div>
      {isUnderWay(status) ? <Progress batch={batch} /> : null}
      <ConnectionNotice batch={batch} />
      <VisuallyHidden role="status">
        {outcome === undefined
          ? announceProgress(status, lookOf(status).word, shareEnded(batch), failed)
          : `${lookOf(status).word}, ${outcome}`}
      </VisuallyHidden>
    </header>
  );
}

interface HeadButtonProps {
  readonly label: string;
  /** What it shows of its label where the whole would take the room of what the batch is. */
  readonly word?: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly loading?: boolean;
  readonly disabled?: boolean;
}

/** A button that keeps only its icon where there is no room for its word. */
function HeadButton({ label, word = label, icon, ...props }: HeadButtonProps) {
  return (
    <Button className={classes.action} aria-label={label} title={label} {...props}>
      {icon}
      <span className={classes.actionLabel}>{word}</span>
    </Button>
  );
}

const retryChoices: readonly RetryChoice[] = ["failed", "never_ran"];

type RetryButtonsProps = Pick<BatchHeadProps, "batch" | "retrying" | "onRetryElsewhere">;

/** Asks again what failed, or what never ran: as it was, or elsewhere. */
function RetryButtons({ batch, retrying, onRetryElsewhere }: RetryButtonsProps) {
  const choices = retryChoices.flatMap((which) => {
    const label = describeRetry(batch.left, which);
    return label === null ? [] : [{ which, label }];
  });
  if (choices.length === 0) return null;
  return (
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
      <Menu position="bottom-end" width={220} returnFocus={false}>
        <Menu.Target>
          <Button className={classes.more} aria-label="More ways to retry" title="More ways to retry">
            <IconChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowRampRight size={16} />} onClick={onRetryElsewhere}>
            Ask again elsewhere…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}

type MoreMenuProps = Pick<
  BatchHeadProps,
  "batch" | "drafting" | "onCompare" | "onRemove" | "rootName" | "onOpenRoot"
> & {
  readonly onRename: () => void;
};

/** What is done more rarely. */
function MoreMenu({ batch, drafting, onCompare, onRename, onRemove, rootName, onOpenRoot }: MoreMenuProps) {
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
          <Menu.Item leftSection={<IconArrowsDiff size={16} />} onClick={onCompare}>
            Compare with…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
          Rename
        </Menu.Item>
        {rootName === null ? null : (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={onOpenRoot}>
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
          onClick={onRemove}
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
