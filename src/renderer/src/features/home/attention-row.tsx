import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BatchView } from "#contract";
import { IconAction } from "../../components/index.ts";
import classes from "./home-page.module.css";

/** The next steps that there are. */
export interface AttentionActions {
  readonly onOpen: (batchId: string) => void;
  readonly onOpenFailed: (batch: BatchView, isMerged: boolean) => void;
  /** To all batches with failed lines. */
  readonly onShowFailed: () => void;
  readonly onOpenProblems: (batchId: string) => void;
  readonly onRetry: (batches: readonly BatchView[], which: "failed" | "never_ran") => void;
  /** Opens the lines of a file that failed its check. */
  readonly onMend: (batchId: string) => void;
  readonly onSettings: () => void;
  /** Lets what waits for a connection try again at once. */
  readonly onRetryConnection: (connectionId: string) => void;
  /** Shows these no more; the words say what is gone. */
  readonly onDismiss: (keys: readonly string[], title: string) => void;
  /** While a step that takes a moment is under way. */
  readonly isActing: boolean;
}

interface RowProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly about: ReactNode;
  readonly batch?: BatchView | undefined;
  /** The keys under which the user may dismiss it. */
  readonly dismiss?: readonly string[];
  readonly onDismiss?: AttentionActions["onDismiss"];
  readonly children: ReactNode;
}

/** One thing that needs the user, with its steps. */
export function Row({ icon, title, about, batch, dismiss, onDismiss, children }: RowProps) {
  const name = batch?.name ?? "failed lines";
  return (
    <li className={classes.item}>
      <span className={classes.itemIcon} aria-hidden>
        {icon ?? <IconAlertTriangle size={16} className={classes.warning} />}
      </span>
      <span className={classes.itemText}>
        <strong>{title}</strong> <span className={classes.soft}>{about}</span>
      </span>
      <span className={classes.steps}>
        {children}
        {dismiss === undefined || onDismiss === undefined ? null : (
          <IconAction
            label="Dismiss"
            name={batch === undefined ? "Dismiss failed lines" : `Dismiss ${name}`}
            icon={IconX}
            onClick={() =>
              onDismiss(dismiss, batch === undefined ? "Failed lines are dismissed" : `“${name}” is dismissed`)
            }
          />
        )}
      </span>
    </li>
  );
}
