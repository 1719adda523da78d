import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard, formatCount, formatNumber } from "../../components/index.ts";
import { countEnded, isUnderWay } from "./describe-batch.ts";

export interface CancelBatch {
  /** Opens the question. */
  readonly ask: (batch: BatchView) => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** Asks, saying what stays and what is given up, and cancels a batch. */
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
    <ConfirmDialog
      opened={opened}
      onClose={() => setOpened(false)}
      title={`Cancel “${batch?.name ?? ""}”?`}
      error={error ? <ErrorCard title="The batch was not cancelled" {...describeError(error)} /> : null}
      keep={batch && isUnderWay(batch.status) ? "Keep running" : "Close"}
      confirm="Cancel batch"
      isPending={isPending}
      onConfirm={() => batch && mutate({ id: batch.id })}
    >
      {batch ? describeCancel(batch) : null}
    </ConfirmDialog>
  );
  return { ask, dialog };
}

/** What a cancel keeps and what it gives up, in sentences (decisions.md, Batch states). */
export function describeCancel(batch: Pick<BatchView, "counts">): string {
  const { total, completed } = batch.counts;
  const left = total - countEnded(batch);
  if (total === 0) return "The file is still being checked. No line of it will run.";
  const kept =
    completed === 0
      ? "Nothing has been answered yet."
      : `The ${formatCount(completed, "answer")} so far ${completed === 1 ? "is" : "are"} kept and can be read and exported.`;
  const lost =
    left === 1 ? "The line that is left will not run" : `The ${formatNumber(left)} lines that are left will not run`;
  return `${kept} ${lost}, but for those being answered right now.`;
}
