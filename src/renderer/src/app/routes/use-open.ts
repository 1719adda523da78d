import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { BatchView, LineState } from "#contract";
import type { BatchSearch } from "../../features/results/index.ts";

/** The ways into batches and drafts from other pages. */
export function useOpen() {
  const navigate = useNavigate();
  return useMemo(() => {
    const openBatch = (batchId: string, search: BatchSearch = {}) =>
      void navigate({ to: "/batches/$batchId", params: { batchId }, search });
    return {
      openBatch,
      /** To the lines that failed or are damaged; `isMerged`: those that no retry has answered. */
      openFailed: ({ id, counts }: Pick<BatchView, "id" | "counts">, isMerged = false) =>
        openBatch(id, { states: failedStates(counts), ...(isMerged && { merged: true }) }),
      openDraft: (draftId: string, { replace = false }: { readonly replace?: boolean } = {}) =>
        void navigate({ to: "/build/{-$draftId}", params: { draftId }, replace }),
      compare: (ids: readonly string[]) => void navigate({ to: "/compare", search: { ids: ids.join(",") } }),
    };
  }, [navigate]);
}

/** The states of lines that are shown as failed: those that there are. */
export function failedStates({ failed, damaged }: BatchView["counts"]): LineState[] {
  if (damaged === 0) return ["failed"];
  return failed === 0 ? ["damaged"] : ["failed", "damaged"];
}
