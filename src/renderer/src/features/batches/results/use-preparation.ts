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

/** Follows what is read for a choice of lines as long as it is looked at; the rows that are found meanwhile are shown. */
export function usePreparation(batchId: string, filter: ResultFilter, sort: ResultSort | null): RowPreparation {
  const { rpc, api } = useBridge();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<Preparation | null>(null);
  const [end, setEnd] = useState<AbortController | null>(null);
  const { columns } = filter;
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
      const wanted = { batchId, ...(columns && { filter: { columns } }), ...(sort && { sort }) };
      for await (const event of await rpc.results.prepare(wanted, { signal: abortion.signal })) {
        if (abortion.signal.aborted) return;
        setProgress(event.isDone ? null : event);
        if (!event.isDone && performance.now() - refreshed < refreshPeriod) continue;
        refreshed = performance.now();
        void refresh();
      }
    };
    // What went wrong is said by the rows themselves.
    follow().catch(() => undefined);
    return () => {
      abortion.abort();
      setProgress(null);
    };
  }, [rpc, api, queryClient, batchId, columns, sort]);
  const stop = () => {
    end?.abort();
    setProgress(null);
  };
  return { progress, stop };
}
