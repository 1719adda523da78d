import { Tooltip } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClockExclamation,
  IconHourglass,
  IconListCheck,
  IconPackage,
  IconPlayerStop,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { BatchStatus, BatchView } from "#contract";
import { describeStatus, isUnderWay, lookOfBatch } from "./describe-batch.ts";
import classes from "./status-badge.module.css";

const icons: Record<BatchStatus, ComponentType<{ size?: number; stroke?: number }>> = {
  validating: IconListCheck,
  in_progress: RunningArc,
  finalizing: IconPackage,
  completed: IconCircleCheck,
  failed: IconAlertTriangle,
  expired: IconClockExclamation,
  cancelling: IconPlayerStop,
  cancelled: IconBan,
};

export interface StatusBadgeProps {
  readonly batch: Pick<BatchView, "status" | "counts" | "waiting">;
  /** Whether the word alone is shown: the lines have columns of their own. */
  readonly isShort?: boolean;
  /** Another summary of its lines, in place of how many failed, are damaged or never ran. */
  readonly outcome?: string | undefined;
  /** Leads to the lines that failed or are damaged. */
  readonly onFailed?: () => void;
}

const waitingLook = { word: "Waiting", tone: "warning" } as const;

/** A batch's status: icon and word, the wire's own word in the tooltip. */
export function StatusBadge(props: StatusBadgeProps) {
  const { batch, isShort = false, outcome, onFailed } = props;
  const { status, counts, waiting } = batch;
  const isWaiting = waiting !== null && isUnderWay(status);
  const { word, tone } = isWaiting ? waitingLook : lookOfBatch(batch);
  const isMixed = status === "completed" && tone === "warning";
  const leadsToFailed = counts.failed + counts.damaged > 0 && onFailed !== undefined;
  const Icon = isWaiting ? IconHourglass : isMixed ? IconAlertTriangle : icons[status];
  const content = (
    <>
      <span className={classes.icon} aria-hidden>
        <Icon size={16} stroke={1.8} />
      </span>
      {isShort ? word : outcome === undefined ? describeStatus(word, counts) : `${word}, ${outcome}`}
    </>
  );
  const look = { className: classes.root, "data-tone": tone };
  return (
    <Tooltip
      multiline
      maw={360}
      label={
        leadsToFailed ? describeFailed(counts) : isWaiting ? waiting : <span className={classes.wire}>{status}</span>
      }
    >
      {leadsToFailed ? (
        <button type="button" {...look} onClick={onFailed}>
          {content}
        </button>
      ) : (
        <span {...look}>{content}</span>
      )}
    </Tooltip>
  );
}

function describeFailed({ failed, damaged }: BatchView["counts"]): string {
  if (damaged === 0) return "Show the lines that failed";
  return failed === 0 ? "Show the lines that are damaged on disk" : "Show the lines that failed or are damaged on disk";
}

function RunningArc({ size = 16 }: { readonly size?: number }) {
  return (
    <svg className={classes.arc} width={size} height={size} viewBox="0 0 16 16" aria-hidden>
      <circle cx="8" cy="8" r="5.75" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path
        d="M8 2.25A5.75 5.75 0 0 1 13.75 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
