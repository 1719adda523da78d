import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import classes from "./error-card.module.css";

export interface ErrorCardProps {
  /** What could not be done: "The batches could not be read". */
  readonly title: string;
  /** What happened and the next step. */
  readonly message: string;
  /** Goes to the clipboard with "Copy details". */
  readonly details?: string;
  readonly onRetry?: () => void;
  readonly actions?: ReactNode;
}

/** A failure, shown in place of what failed. */
export function ErrorCard({ title, message, details, onRetry, actions }: ErrorCardProps) {
  return (
    <div className={classes.root} role="alert">
      <IconAlertTriangle size={18} className={classes.icon} aria-hidden />
      <div className={classes.body}>
        <div className={classes.title}>{title}</div>
        <div className={classes.message}>{message}</div>
        <div className={classes.actions}>
          {onRetry ? (
            <Button size="xs" onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          {actions}
          {details ? <CopyButton value={details} label="Copy details" /> : null}
        </div>
      </div>
    </div>
  );
}
