import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./confirm-dialog.module.css";

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The question. */
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The failure of the attempt, where the dialog stays open. */
  readonly error?: ReactNode;
  /** The words of the two buttons: what stays as it is, and what is done. */
  readonly keep: string;
  readonly confirm: string;
  /** Whether something is lost; true by default. */
  readonly isDestructive?: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something is lost for good, or is decided that can't be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, children, error, keep, confirm, isDestructive = true, isPending, onConfirm } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={460}>
      <div className={classes.text}>{children}</div>
      {error}
      <div className={classes.actions}>
        <Button data-autofocus onClick={onClose}>
          {keep}
        </Button>
        <Button variant="filled" {...(isDestructive && { color: "red" })} loading={isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Modal>
  );
}
