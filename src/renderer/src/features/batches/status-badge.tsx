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
import type { BatchStatus } from "#contract";
import { describeStatus, isUnderWay, lookOf } from "./describe-batch.ts";
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
  readonly status: BatchStatus;
  /** Lines that failed, to be said: what ended with some is not done well. */
  readonly failed?: number;
  /** What else came of its lines, in place of how many failed. */
  readonly outcome?: string | undefined;
  /** Whether there are such, where they are said elsewhere. */
  readonly hasFailures?: boolean;
  /** Why nothing moves at its connection; null while it does. */
  readonly waiting?: string | null;
  /** Leads to them. */
  readonly onFailed?: () => void;
}

const waitingLook = { word: "Waiting", tone: "warning" } as const;

/** A batch's status: icon and word, the wire's own word in the tooltip. */
export function StatusBadge(props: StatusBadgeProps) {
  const { status, failed = 0, hasFailures = failed > 0, waiting = null, outcome, onFailed } = props;
  const isWaiting = waiting !== null && isUnderWay(status);
  const isMixed = status === "completed" && hasFailures;
  const { word, tone } = isWaiting ? waitingLook : lookOf(status);
  const Icon = isWaiting ? IconHourglass : isMixed ? IconAlertTriangle : icons[status];
  const content = (
    <>
      <span className={classes.icon} aria-hidden>
        <Icon size={16} stroke={1.8} />
      </span>
      {outcome === undefined ? describeStatus(word, failed) : `${word}, ${outcome}`}
    </>
  );
  const look = { className: classes.root, "data-tone": isMixed ? "warning" : tone };
  return (
    <Tooltip
      multiline
      maw={360}
      label={
        failed > 0 && onFailed !== undefined ? (
          "Show the lines that failed"
        ) : isWaiting ? (
          waiting
        ) : (
          <span className={classes.wire}>{status}</span>
        )
      }
    >
      {failed > 0 && onFailed !== undefined ? (
        <button type="button" {...look} onClick={onFailed}>
          {content}
        </button>
      ) : (
        <span {...look}>{content}</span>
      )}
    </Tooltip>
  );
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
