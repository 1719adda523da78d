import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type BatchView, deletedDays } from "#contract";
import { useApi, useRpc } from "../../bridge/index.ts";
import { formatCount, showFailure, showOffer } from "../../components/index.ts";
import { batchListOptions } from "../../queries/batch-queries.ts";
import { isUnderWay } from "./describe-batch.ts";
import { useRestoreBatches } from "./use-restore-batches.ts";

/** Deletes batches with their retries. They can be restored: at once with Undo, later in Deleted. */
export function useRemoveBatches(): (batches: readonly BatchView[]) => void {
  const rpc = useRpc();
  const api = useApi();
  const queryClient = useQueryClient();
  const restore = useRestoreBatches();

  return useCallback(
    async (wanted) => {
      const listKey = batchListOptions(api).queryKey;
      const all = queryClient.getQueryData(listKey) ?? [];
      const retryGroupOf = (batch: BatchView) => [batch, ...all.filter((other) => isRetryOf(other, batch))];
      const running = wanted.filter((batch) => retryGroupOf(batch).some(({ status }) => isUnderWay(status)));
      for (const { name } of running) {
        const message = "It, or a retry of it, has not ended. Cancel that first.";
        showFailure(`“${name}” is not deleted`, message);
      }
      const ended = wanted.filter((batch) => !running.includes(batch));
      // A retry that was chosen together with its batch is deleted with it.
      const chosen = ended.filter((batch) => !ended.some((other) => isRetryOf(batch, other)));
      if (chosen.length === 0) return;
      const gone = new Set(chosen.flatMap(retryGroupOf).map(({ id }) => id));
      queryClient.setQueryData(listKey, (list) => list?.filter(({ id }) => !gone.has(id)));

      const outcomes = await Promise.allSettled(chosen.map(({ id }) => rpc.batches.remove({ id })));
      const failures = outcomes.filter((outcome) => outcome.status === "rejected");
      for (const { reason } of failures) showFailure("A batch could not be deleted", reason);
      const deleted = chosen.filter((_, at) => outcomes[at]?.status === "fulfilled");
      if (failures.length > 0) void queryClient.invalidateQueries({ queryKey: listKey });
      void queryClient.invalidateQueries({ queryKey: api.batches.deleted.key() });
      if (deleted.length === 0) return;
      showOffer({
        title: describeDeleted(deleted),
        message: describeAlso(deleted.flatMap(retryGroupOf).length - deleted.length),
        run: () => void restore(deleted.map(({ id }) => id)),
      });
    },
    [rpc, api, queryClient, restore],
  );
}

function isRetryOf({ link }: BatchView, { id }: BatchView): boolean {
  return link?.kind === "retry" && link.root === id;
}

function describeDeleted(batches: readonly BatchView[]): string {
  const [first] = batches;
  return first !== undefined && batches.length === 1
    ? `“${first.name}” is deleted`
    : `${formatCount(batches.length, "batch", "batches")} are deleted`;
}

/** What was deleted with batches, and how long they can be restored. */
function describeAlso(retries: number): string {
  const also = retries === 1 ? "Its retry is deleted too. " : `${retries} retries are deleted too. `;
  const how = `To restore ${retries > 1 ? "them" : "it"}, open Batches → Deleted within ${deletedDays} days.`;
  return retries === 0 ? how : `${also}${how}`;
}
