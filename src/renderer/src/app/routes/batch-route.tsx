import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type Ref, useCallback, useEffect, useRef } from "react";
import { finalStatuses } from "#contract";
import { BatchActions, BatchHead, BatchPage, useBatchPage } from "../../features/batches/index.ts";
import {
  type BatchSearch,
  ExportButton,
  filterOf,
  hasFilter,
  LineInspector,
  ResultItems,
  ResultsProvider,
  type ResultsTableHandle,
  ResultTabs,
  useResults,
} from "../../features/results/index.ts";
import { useBatch } from "../../queries/batch-queries.ts";
import { Page } from "../shell/page.tsx";
import { failedStates, useOpen } from "./use-open.ts";
import { useSearchChange } from "./use-search-change.ts";

/** `/batches/<batch>`: the batch, and the inspector of its lines. */
export function BatchRoute() {
  const { batchId } = useParams({ from: "/batches/$batchId" });
  const search = useSearch({ from: "/batches/$batchId" });
  const { tab, line = null } = search;
  const navigate = useNavigate({ from: "/batches/$batchId" });
  const { openBatch, openDraft, compare } = useOpen();
  const { data: batch } = useBatch(batchId);
  const table = useRef<ResultsTableHandle>(null);

  const change = useSearchChange<BatchSearch>("/batches/$batchId");
  const close = useCallback(() => {
    change({ line: undefined });
    table.current?.focus();
  }, [change]);
  const back = useCallback(() => void navigate({ to: "/batches" }), [navigate]);

  const total = batch?.counts.total ?? 0;
  const shown = line !== null && line <= total && (tab === undefined || tab === "results") ? line : null;
  useEffect(() => {
    if (shown !== null) table.current?.showLine(shown);
  }, [shown]);
  const filter = filterOf(search);
  // Lines that are chosen or ordered have other neighbours than their numbers: the table knows which.
  const isOrdered = search.sort !== undefined || hasFilter(filter);

  return (
    <Page
      title={batch?.name ?? "Batch"}
      inspector={
        shown === null
          ? null
          : {
              label: `Line ${shown}`,
              children: (
                <LineInspector
                  batchId={batchId}
                  line={shown}
                  filter={filter}
                  find={search.q}
                  merged={search.merged === true}
                  onPrevious={isOrdered || shown > 1 ? () => table.current?.step(-1) : null}
                  onNext={isOrdered || shown < total ? () => table.current?.step(1) : null}
                  onClose={close}
                />
              ),
            }
      }
    >
      <BatchPage
        key={batchId}
        batchId={batchId}
        onBack={back}
        onOpenBatch={openBatch}
        onOpenDraft={openDraft}
        onCompare={compare}
      >
        {(detail) => (
          <ResultsProvider batch={detail} search={search} onSearch={change}>
            <Batch table={table} />
          </ResultsProvider>
        )}
      </BatchPage>
    </Page>
  );
}

/** The head of the batch above its results: each can do something for the other. */
function Batch({ table }: { readonly table: Ref<ResultsTableHandle> }) {
  const { batch, onAskAgain } = useBatchPage();
  const { merged, retries, onShow, onSearch } = useResults();
  return (
    <>
      <BatchHead
        mergedRetries={merged ? retries : 0}
        onShowFailed={() => onShow({ states: failedStates(batch.counts) })}
        onShowEnds={(ends) => onShow({ ends })}
        onShowMisfits={() => onShow({ columns: [{ path: "answer", op: "breaks_schema" }] })}
        onShowRun={(tab) => onSearch({ tab })}
      />
      <ResultTabs
        table={table}
        actions={<BatchActions exportButton={<ExportButton />} resultItems={<ResultItems />} />}
        onRetry={finalStatuses.has(batch.status) ? onAskAgain : null}
      />
    </>
  );
}
