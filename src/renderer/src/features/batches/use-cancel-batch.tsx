import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useRpc } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard, formatCount, formatNumber } from "../../components/index.ts";
import { countEnded, isUnderWay } from "./describe-batch.ts";

export interface CancelBatch {
  /** Opens the question. */
  readonly ask: (batches: readonly BatchView[]) => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** Asks for confirmation, naming what stays and what is lost, and cancels a batch. */
export function useCancelBatch(): CancelBatch {
  const [batches, setBatches] = useState<readonly BatchView[]>([]);
  const [opened, setOpened] = useState(false);
  const rpc = useRpc();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (wanted: readonly BatchView[]) => Promise.all(wanted.map(({ id }) => rpc.batches.cancel({ id }))),
    onSuccess: () => setOpened(false),
  });
  const ask = useCallback(
    (wanted: readonly BatchView[]) => {
      reset();
      setBatches(wanted);
      setOpened(true);
    },
    [reset],
  );
  const [batch, ...others] = batches;
  const name = others.length === 0 ? `“${batch?.name ?? ""}”` : formatCount(batches.length, "batch", "batches");
  const dialog = (
    <ConfirmDialog
      opened={opened}
      onClose={() => setOpened(false)}
      title={`Cancel ${name}?`}
      error={error ? <ErrorCard title="The batch was not cancelled" {...describeError(error)} /> : null}
      keep={batch && isUnderWay(batch.status) ? "Keep running" : "Close"}
      confirm={others.length === 0 ? "Cancel batch" : "Cancel batches"}
      isPending={isPending}
      onConfirm={() => mutate(batches)}
    >
      {batch ? describeCancel({ counts: sumCounts(batches) }) : null}
    </ConfirmDialog>
  );
  return { ask, dialog };
}

function sumCounts(batches: readonly BatchView[]): BatchView["counts"] {
  const sum = (name: keyof BatchView["counts"]) => batches.reduce((total, { counts }) => total + counts[name], 0);
  return {
    total: sum("total"),
    completed: sum("completed"),
    failed: sum("failed"),
    damaged: sum("damaged"),
    neverRan: sum("neverRan"),
    awaited: sum("awaited"),
  };
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
