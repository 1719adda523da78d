import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import type { LineVerdict } from "#contract";
import {
  BatchPage,
  countEnded,
  isUnderWay,
  LineInspector,
  ResultsTable,
  type ResultsTableHandle,
  useBatch,
} from "../../features/batches/index.ts";
import { Place } from "../frame/place.tsx";

/** `/batches/<batch>`: the batch, and the inspector of its lines. */
export function BatchRoute() {
  const { batchId } = useParams({ from: "/batches/$batchId" });
  const { tab, line = null, verdict = null } = useSearch({ from: "/batches/$batchId" });
  const navigate = useNavigate({ from: "/batches/$batchId" });
  const { data: batch } = useBatch(batchId);
  const table = useRef<ResultsTableHandle>(null);

  const openLine = useCallback(
    (wanted: number | undefined) =>
      void navigate({ to: ".", search: (before) => ({ ...before, line: wanted }), replace: true }),
    [navigate],
  );
  const close = useCallback(() => {
    openLine(undefined);
    table.current?.focus();
  }, [openLine]);
  const showVerdict = useCallback(
    (wanted: LineVerdict | null) =>
      void navigate({
        to: ".",
        search: (before) => ({ ...before, tab: undefined, line: undefined, verdict: wanted ?? undefined }),
        replace: true,
      }),
    [navigate],
  );
  const back = useCallback(() => void navigate({ to: "/batches" }), [navigate]);

  const total = batch?.counts.total ?? 0;
  const shown = line !== null && line <= total && tab !== "raw" && tab !== "verification" ? line : null;
  const isThere = total > 0;
  /** Among all lines the neighbours are known; among those with a verdict the table knows them. */
  const stepTo = (by: 1 | -1) => {
    if (shown === null || shown + by < 1 || shown + by > total) return null;
    return verdict === null ? () => openLine(shown + by) : () => table.current?.step(by);
  };
  // A line that the address names from the start comes to the middle; one that is chosen stays where it is.
  const hasShown = useRef(line === null);
  useEffect(() => {
    if (shown === null || !isThere) return;
    table.current?.showLine(shown, hasShown.current ? "nearest" : "middle");
    hasShown.current = true;
  }, [shown, isThere]);

  return (
    <Place
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
                  onPrevious={stepTo(-1)}
                  onNext={stepTo(1)}
                  onClose={close}
                />
              ),
            }
      }
    >
      <BatchPage
        key={batchId}
        batchId={batchId}
        tab={tab ?? null}
        onTab={(wanted) =>
          void navigate({
            to: ".",
            search: (before) => ({
              ...before,
              tab: wanted === "raw" || wanted === "verification" ? wanted : undefined,
            }),
            replace: true,
          })
        }
        onBack={back}
        onVerdict={showVerdict}
        renderResults={(shownBatch, verification) => (
          <ResultsTable
            batchId={batchId}
            total={shownBatch.counts.total}
            ended={countEnded(shownBatch)}
            underWay={isUnderWay(shownBatch.status)}
            line={shown}
            onLine={openLine}
            handle={table}
            verification={verification}
            verdict={verdict}
            onVerdict={showVerdict}
          />
        )}
      />
    </Place>
  );
}
