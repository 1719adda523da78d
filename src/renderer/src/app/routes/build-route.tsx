import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { BuildPlace } from "../../features/build/index.ts";
import { Place } from "../frame/place.tsx";

/** `/build` and `/build/<draft>`. */
export function BuildRoute() {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const navigate = useNavigate();
  const openDraft = useCallback(
    (id: string, { replace = false }: { readonly replace?: boolean } = {}) =>
      void navigate({ to: "/build/{-$draftId}", params: { draftId: id }, replace }),
    [navigate],
  );
  const openBatch = useCallback(
    (batchId: string) => void navigate({ to: "/batches/$batchId", params: { batchId } }),
    [navigate],
  );
  return (
    <Place title="Build">
      <BuildPlace draftId={draftId ?? null} onOpenDraft={openDraft} onOpenBatch={openBatch} />
    </Place>
  );
}
