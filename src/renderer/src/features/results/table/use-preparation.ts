import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Preparation, ResultFilter, ResultSort } from "#contract";
import { useBridge } from "../../../bridge/index.ts";

/** Between two fetches of what has been found so far, in milliseconds. */
const refreshPeriod = 600;

/** How far columns are that are read for the rows, and a way to give that up. */
export interface RowPreparation {
  /** Null where nothing is being read. */
  readonly progress: Preparation | null;
  readonly stop: () => void;
}

/** What is read. */
interface Prepared {
  readonly filter: ResultFilter;
  readonly sort?: ResultSort | null;
  /** Of a chart. */
  readonly columns?: readonly string[];
  readonly merged: boolean;
}

/** Follows what is read for a choice of lines as long as it is looked at; the rows that are found meanwhile are shown. */
export function usePreparation(batchId: string, { filter, sort, columns, merged }: Prepared): RowPreparation {
  const { rpc, api } = useBridge();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<Preparation | null>(null);
  const [end, setEnd] = useState<AbortController | null>(null);
  const wanted = JSON.stringify({
    batchId,
    ...(filter.columns && { filter: { columns: filter.columns } }),
    ...(sort && { sort }),
    ...(columns && { columns }),
    ...(merged && { merged }),
  });
  useEffect(() => {
    const abortion = new AbortController();
    setEnd(abortion);
    const refresh = () =>
      queryClient.invalidateQueries({
        queryKey: api.results.page.key({ input: { batchId } }),
        predicate: ({ state }) => (state.data as { isWhole?: boolean } | undefined)?.isWhole === false,
      });
    const follow = async () => {
      let refreshed = performance.now();
      let wasIndexing = false;
      const choice = JSON.parse(wanted) as Parameters<typeof rpc.results.prepare>[0];
      for await (const event of await rpc.results.prepare(choice, { signal: abortion.signal })) {
        if (abortion.signal.aborted) return;
        setProgress(event.isDone ? null : event);
        // What is left to be asked again is known by the index.
        if (wasIndexing && event.step !== "indexing") {
          void queryClient.invalidateQueries({ queryKey: api.batches.get.key({ input: { id: batchId } }) });
        }
        wasIndexing = event.step === "indexing";
        if (!event.isDone && performance.now() - refreshed < refreshPeriod) continue;
        refreshed = performance.now();
        void refresh();
      }
    };
    // What went wrong is said by the rows themselves.
    follow().catch(() => abortion.signal.aborted || setProgress(null));
    return () => {
      abortion.abort();
      setProgress(null);
    };
  }, [rpc, api, queryClient, batchId, wanted]);
  const stop = () => {
    end?.abort();
    setProgress(null);
  };
  return { progress, stop };
}
