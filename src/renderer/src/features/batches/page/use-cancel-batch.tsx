import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard } from "../../../components/index.ts";
import { isUnderWay } from "../status.ts";
import classes from "./cancel-dialog.module.css";
import { describeCancel } from "./describe-cancel.ts";

export interface CancelBatch {
  /** Opens the question. */
  readonly ask: (batch: BatchView) => void;
  /** To be rendered by the place. */
  readonly dialog: ReactNode;
}

/** Cancels a batch after having said what is kept and what is given up. */
export function useCancelBatch(): CancelBatch {
  const [batch, setBatch] = useState<BatchView | null>(null);
  const [opened, setOpened] = useState(false);
  const api = useApi();
  const { mutate, isPending, error, reset } = useMutation(
    api.batches.cancel.mutationOptions({ onSuccess: () => setOpened(false) }),
  );
  const ask = useCallback(
    (wanted: BatchView) => {
      reset();
      setBatch(wanted);
      setOpened(true);
    },
    [reset],
  );
  const dialog = (
    <Modal opened={opened} onClose={() => setOpened(false)} title={`Cancel “${batch?.name ?? ""}”?`} size={460}>
      {batch ? <p className={classes.text}>{describeCancel(batch)}</p> : null}
      {error ? (
        <div className={classes.error}>
          <ErrorCard title="The batch was not cancelled" {...describeError(error)} />
        </div>
      ) : null}
      <div className={classes.actions}>
        <Button onClick={() => setOpened(false)}>{batch && isUnderWay(batch.status) ? "Keep running" : "Close"}</Button>
        <Button
          variant="filled"
          color="red"
          loading={isPending}
          data-autofocus
          onClick={() => batch && mutate({ id: batch.id })}
        >
          Cancel batch
        </Button>
      </div>
    </Modal>
  );
  return { ask, dialog };
}
