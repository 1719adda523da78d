import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { BatchSearch } from "../../features/results/index.ts";

/** The ways into batches and drafts from other pages. */
export function useOpen() {
  const navigate = useNavigate();
  return useMemo(() => {
    const openBatch = (batchId: string, search: BatchSearch = {}) =>
      void navigate({ to: "/batches/$batchId", params: { batchId }, search });
    return {
      openBatch,
      openFailed: (batchId: string) => openBatch(batchId, { states: ["failed"] }),
      openDraft: (draftId: string, { replace = false }: { readonly replace?: boolean } = {}) =>
        void navigate({ to: "/build/{-$draftId}", params: { draftId }, replace }),
      compare: (ids: readonly string[]) => void navigate({ to: "/compare", search: { ids: ids.join(",") } }),
    };
  }, [navigate]);
}
