import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { BatchView } from "#contract";
import { useApi, useRpc } from "../../bridge/index.ts";
import { formatCount, showFailure, showOffer } from "../../components/index.ts";
import { batchListOptions } from "../../queries/batch-queries.ts";
import { batchRemovals } from "../../state/removals.ts";
import { isUnderWay } from "./describe-batch.ts";

/** Removes batches with their retries: out of sight at once, gone in ten seconds, and back at once with Undo. */
export function useRemoveBatches(): (batches: readonly BatchView[]) => void {
  const rpc = useRpc();
  const api = useApi();
  const queryClient = useQueryClient();

  return useCallback(
    (wanted) => {
      const listKey = batchListOptions(api).queryKey;
      const all = queryClient.getQueryData(listKey) ?? [];
      const retryGroupOf = (batch: BatchView) => [batch, ...all.filter((other) => isRetryOf(other, batch))];
      const running = wanted.filter((batch) => retryGroupOf(batch).some(({ status }) => isUnderWay(status)));
      for (const { name } of running) {
        const message = "It, or a retry of it, has not ended. Cancel that first.";
        showFailure(`“${name}” is not deleted`, message);
      }
      const removed = wanted.filter((batch) => !running.includes(batch));
      if (removed.length === 0) return;
      const gone = new Set(removed.flatMap(retryGroupOf).map(({ id }) => id));

      const removeNow = async (id: string) => {
        // A retry that was chosen together with its batch is removed with it.
        if (queryClient.getQueryData(listKey)?.every((batch) => batch.id !== id)) return;
        queryClient.setQueryData(listKey, (list) =>
          list?.filter((batch) => batch.id !== id && !(batch.link?.kind === "retry" && batch.link.root === id)),
        );
        try {
          await rpc.batches.remove({ id });
        } catch (error) {
          showFailure("A batch could not be deleted", error);
          void queryClient.invalidateQueries({ queryKey: listKey });
        }
      };
      // Batches before their retries.
      const inOrder = removed.toSorted((one, other) => Number(one.link !== null) - Number(other.link !== null));
      for (const { id } of inOrder) batchRemovals.schedule(id, () => void removeNow(id));
      for (const id of gone) if (!removed.some((batch) => batch.id === id)) batchRemovals.schedule(id, () => {});

      showOffer({
        title: describeRemoved(removed),
        message: describeLost(gone.size - removed.length),
        run: () => {
          for (const id of gone) batchRemovals.cancel(id);
        },
      });
    },
    [rpc, api, queryClient],
  );
}

function isRetryOf({ link }: BatchView, { id }: BatchView): boolean {
  return link?.kind === "retry" && link.root === id;
}

function describeRemoved(batches: readonly BatchView[]): string {
  const [first] = batches;
  return first !== undefined && batches.length === 1
    ? `“${first.name}” is deleted`
    : `${formatCount(batches.length, "batch", "batches")} are deleted`;
}

/** What goes with batches besides themselves. */
function describeLost(retries: number): string {
  const files = "Input, answers, verdicts and grades go with it.";
  return retries === 0 ? files : `${files} So ${retries === 1 ? "does its retry" : `do ${retries} retries`}.`;
}
