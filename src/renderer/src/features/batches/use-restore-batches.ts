import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useApi, useRpc } from "../../bridge/index.ts";
import { showFailure } from "../../components/index.ts";

/** Restores deleted batches, by their ids, with the retries that were deleted with them. */
export function useRestoreBatches(): (ids: readonly string[]) => Promise<void> {
  const rpc = useRpc();
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(
    async (ids) => {
      for (const id of ids) {
        await rpc.batches.restore({ id }).catch((error: unknown) => {
          showFailure("A batch could not be restored", error);
        });
      }
      await queryClient.invalidateQueries({ queryKey: api.batches.key() });
    },
    [rpc, api, queryClient],
  );
}
