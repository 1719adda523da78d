import { useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { BatchesPage, type BatchesSearch } from "../../features/batches/index.ts";
import { useExportResults } from "../../features/results/index.ts";
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
  const { exportResults } = useExportResults();
  const onExport = useCallback((id: string) => exportResults({ id }), [exportResults]);
  const change = useSearchChange<BatchesSearch>("/batches");
  return (
    <Page title="Batches">
      <BatchesPage
        search={search}
        onSearch={change}
        onOpen={openBatch}
        onOpenFailed={openFailed}
        onOpenDraft={openDraft}
        onExport={onExport}
        onCompare={compare}
        onBuild={newBatch.open}
        isBuilding={newBatch.isOpening}
        onTryExample={() => example.open()}
        exampleIsOpening={example.isOpening}
      />
    </Page>
  );
}
