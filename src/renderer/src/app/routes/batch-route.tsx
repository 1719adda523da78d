import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import type { VirtualTableHandle } from "../../components/index.ts";
import { BatchPlace, countEnded, isUnderWay, useBatch } from "../../features/batches/index.ts";
import { LineInspector, ResultsTable } from "../../features/results/index.ts";
import { Place } from "../frame/place.tsx";

/** `/batches/<batch>`: the batch from one feature, its lines and the inspector from another. */
export function BatchRoute() {
  const { batchId } = useParams({ from: "/batches/$batchId" });
  const { tab, line = null } = useSearch({ from: "/batches/$batchId" });
  const navigate = useNavigate({ from: "/batches/$batchId" });
  const { data: batch } = useBatch(batchId);
  const table = useRef<VirtualTableHandle>(null);

  const openLine = useCallback(
    (wanted: number | undefined) =>
      void navigate({ to: ".", search: (before) => ({ ...before, line: wanted }), replace: true }),
    [navigate],
  );
  const close = useCallback(() => {
    openLine(undefined);
    table.current?.focus();
  }, [openLine]);
  const back = useCallback(() => void navigate({ to: "/batches" }), [navigate]);

  const total = batch?.counts.total ?? 0;
  const shown = line !== null && line <= total && tab !== "raw" ? line : null;
  const isThere = total > 0;
  // A line that the address names from the start comes to the middle; one that is chosen stays where it is.
  const hasShown = useRef(line === null);
  useEffect(() => {
    if (shown === null || !isThere) return;
    table.current?.show(shown - 1, hasShown.current ? "nearest" : "middle");
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
                <LineInspector batchId={batchId} line={shown} total={total} onLine={openLine} onClose={close} />
              ),
            }
      }
    >
      <BatchPlace
        key={batchId}
        batchId={batchId}
        tab={tab ?? null}
        onTab={(wanted) =>
          void navigate({
            to: ".",
            search: (before) => ({ ...before, tab: wanted === "raw" ? wanted : undefined }),
            replace: true,
          })
        }
        onBack={back}
        renderResults={(shownBatch) => (
          <ResultsTable
            batchId={batchId}
            total={shownBatch.counts.total}
            ended={countEnded(shownBatch)}
            underWay={isUnderWay(shownBatch.status)}
            line={shown}
            onLine={openLine}
            handle={table}
          />
        )}
      />
    </Place>
  );
}
