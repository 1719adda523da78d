import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { BatchesPage, type BatchesSearch } from "../../features/batches/index.ts";
import { useExampleDraft, useNewBatch } from "../open-draft.ts";
import { Page } from "../shell/page.tsx";
import { useSearchChange } from "./use-search-change.ts";

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
  const openFailed = useCallback(
    (batchId: string) =>
      void navigate({ to: "/batches/$batchId", params: { batchId }, search: { states: ["failed"] } }),
    [navigate],
  );
  const openDraft = useCallback(
    (draftId: string) => void navigate({ to: "/build/{-$draftId}", params: { draftId } }),
    [navigate],
  );
  const compare = useCallback(
    (ids: readonly string[]) => void navigate({ to: "/compare", search: { ids: ids.join(",") } }),
    [navigate],
  );
  const change = useSearchChange<BatchesSearch>("/batches");
  return (
    <Page title="Batches">
      <BatchesPage
        search={search}
        onSearch={change}
        onOpen={open}
        onOpenFailed={openFailed}
        onOpenDraft={openDraft}
        onCompare={compare}
        onBuild={newBatch.open}
        isBuilding={newBatch.isOpening}
        onTryExample={() => example.open()}
        exampleIsOpening={example.isOpening}
      />
    </Page>
  );
}
