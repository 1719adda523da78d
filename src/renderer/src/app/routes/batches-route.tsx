import { useSearch } from "@tanstack/react-router";
import { BatchesPage, type BatchesSearch } from "../../features/batches/index.ts";
import { useBatchesExport } from "../../features/results/index.ts";
import { useExampleDraft, useNewBatch } from "../open-draft.ts";
import { Page } from "../shell/page.tsx";
import { useOpen } from "./use-open.ts";
import { useSearchChange } from "./use-search-change.ts";

/** `/batches`. */
export function BatchesRoute() {
  const search = useSearch({ from: "/batches" });
  const { openBatch, openFailed, openDraft, compare } = useOpen();
  const newBatch = useNewBatch();
  const example = useExampleDraft();
  const exporting = useBatchesExport();
  const change = useSearchChange<BatchesSearch>("/batches");
  return (
    <Page title="Batches">
      <BatchesPage
        search={search}
        onSearch={change}
        onOpen={openBatch}
        onOpenFailed={openFailed}
        onOpenDraft={openDraft}
        onExport={exporting.open}
        onCompare={compare}
        onBuild={newBatch.open}
        isBuilding={newBatch.isOpening}
        onTryExample={() => example.open()}
        exampleIsOpening={example.isOpening}
      />
      {exporting.dialog}
    </Page>
  );
}
