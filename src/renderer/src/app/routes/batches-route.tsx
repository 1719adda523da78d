import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { BatchesPage, type BatchesSearch } from "../../features/batches/index.ts";
import { Place } from "../frame/place.tsx";
import { useExampleDraft } from "./use-example-draft.ts";
import { useNewBatch } from "./use-new-batch.ts";

/** `/batches`. */
export function BatchesRoute() {
  const search = useSearch({ from: "/batches" });
  const navigate = useNavigate({ from: "/batches" });
  const newBatch = useNewBatch();
  const example = useExampleDraft();
  const open = useCallback(
    (batchId: string) => void navigate({ to: "/batches/$batchId", params: { batchId } }),
    [navigate],
  );
  const change = useCallback(
    (changed: Partial<BatchesSearch>) =>
      void navigate({ to: "/batches", search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  return (
    <Place title="Batches">
      <BatchesPage
        search={search}
        onSearch={change}
        onOpen={open}
        onBuild={newBatch.open}
        isBuilding={newBatch.isOpening}
        onTryExample={example.open}
        exampleIsOpening={example.isOpening}
      />
    </Place>
  );
}
