import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { z } from "zod";
import type { BatchDetail, BatchView } from "#contract";
import { type Api, type Rpc, useBridge } from "../../bridge/index.ts";
import { batchDetailOptions, batchListOptions } from "./batch-queries.ts";
import { gradingOptions, verificationOptions } from "./run-queries.ts";

/** Between two samples of a batch's rate, in milliseconds. */
const samplePeriod = 1_000;
/** The most samples of a rate that are stored; a longer run keeps every second one, and so on. */
const mostSamples = 120;
/** Between two fetches of the results in view, in milliseconds. */
const resultsPeriod = 400;
/** How long to wait before asking again after the stream broke while the connection held, in milliseconds. */
const retryDelay = 1_000;

/** What this needs of the bridge. */
export interface WatchBridge {
  readonly rpc: Pick<Rpc, "batches" | "grades" | "verifications">;
  readonly api: Pick<Api, "batches" | "grades" | "results" | "verifications">;
}

/** Keeps all that is shown of batches, their results, verifications and grades up to date. Called once, by the shell. */
export function useBatchesWatch(): void {
  const bridge = useBridge();
  const queryClient = useQueryClient();
  useEffect(() => {
    const end = new AbortController();
    void watchBatches(bridge, queryClient, end.signal);
    void watchVerifications(bridge, queryClient, end.signal);
    void watchGrades(bridge, queryClient, end.signal);
    return () => end.abort();
  }, [bridge, queryClient]);
}

/**
 * Follows every change of every batch and writes it into the cache, until the signal is aborted. One stream serves
 * the whole page. After a break it asks again, and fetches once what may have changed in between.
 */
export function watchBatches({ rpc, api }: WatchBridge, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const sampledAt = new Map<string, number>();
  const listKey = batchListOptions(api).queryKey;
  // Only lines that wait for their answer can change with the batch.
  const refreshResults = mergeCalls((batchId) => {
    const input = { batchId };
    void queryClient.invalidateQueries({ queryKey: api.results.page.key({ input }), predicate: isWaiting });
    void queryClient.invalidateQueries({ queryKey: api.results.line.key({ input }), predicate: isWaiting });
  });

  const apply = (batch: BatchView) => {
    const now = Date.now();
    const sample = batch.status === "in_progress" && now - (sampledAt.get(batch.id) ?? 0) >= samplePeriod;
    if (sample) sampledAt.set(batch.id, now);
    queryClient.setQueryData(listKey, (list) => list && mergeIntoList(list, batch));
    refreshResults(batch.id);

    const detailKey = batchDetailOptions(api, batch.id).queryKey;
    const before = queryClient.getQueryData(detailKey);
    if (before === undefined) return;
    queryClient.setQueryData(detailKey, mergeIntoDetail(before, batch, sample));
    if (before.status !== batch.status) void queryClient.invalidateQueries({ queryKey: detailKey });
  };

  return follow(
    {
      open: () => rpc.batches.watch(undefined, { signal }),
      onOpen: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: api.batches.key() }),
          queryClient.invalidateQueries({ queryKey: api.results.key() }),
        ]),
      onEvent: apply,
    },
    signal,
  );
}

/** Follows the verification of every batch and writes it into the cache, until the signal is aborted. */
function watchVerifications({ rpc, api }: WatchBridge, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  // A verdict may come for any line, and go when the verification is started over.
  const refreshVerdicts = mergeCalls((batchId) => {
    const input = { batchId };
    for (const procedure of [api.results.page, api.results.line, api.verifications.line]) {
      void queryClient.invalidateQueries({ queryKey: procedure.key({ input }) });
    }
  });
  return follow(
    {
      open: () => rpc.verifications.watch(undefined, { signal }),
      onOpen: () => queryClient.invalidateQueries({ queryKey: api.verifications.key() }),
      onEvent: (run) => {
        queryClient.setQueryData(verificationOptions(api, run.batchId).queryKey, run);
        refreshVerdicts(run.batchId);
      },
    },
    signal,
  );
}

/** The same for grades. */
function watchGrades({ rpc, api }: WatchBridge, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const refreshGrades = mergeCalls((batchId) => {
    const input = { batchId };
    for (const procedure of [api.results.page, api.results.line, api.grades.line]) {
      void queryClient.invalidateQueries({ queryKey: procedure.key({ input }) });
    }
  });
  return follow(
    {
      open: () => rpc.grades.watch(undefined, { signal }),
      onOpen: () => queryClient.invalidateQueries({ queryKey: api.grades.key() }),
      onEvent: (run) => {
        queryClient.setQueryData(gradingOptions(api, run.batchId).queryKey, run);
        refreshGrades(run.batchId);
      },
    },
    signal,
  );
}

/** Puts a changed batch in its place in the list, or a new one at the top. */
export function mergeIntoList(list: BatchView[], batch: BatchView): BatchView[] {
  const at = list.findIndex(({ id }) => id === batch.id);
  return at < 0 ? [batch, ...list] : list.with(at, batch);
}

/**
 * Brings what is shown of one batch up to date with a change of it. The rate is sampled when `sample` says so; what
 * the change does not carry (problems, ids of files on the wire) stays until it is fetched again.
 */
export function mergeIntoDetail(detail: BatchDetail, batch: BatchView, sample: boolean): BatchDetail {
  return {
    ...detail,
    ...batch,
    throughput: sample && batch.rate !== null ? thin([...detail.throughput, batch.rate]) : detail.throughput,
    wire: { ...detail.wire, status: batch.status, request_counts: batch.counts },
  };
}

function thin(samples: readonly number[]): number[] {
  return samples.length <= mostSamples ? [...samples] : samples.filter((_, at) => at % 2 === 1);
}

const rowSchema = z.object({ state: z.enum(["waiting", "answered", "failed", "skipped"]) });
const resultsSchema = z.union([
  z.object({ rows: z.array(rowSchema) }),
  rowSchema.transform((row) => ({ rows: [row] })),
]);

/** Whether something may still come of a line of these results. */
function isWaiting({ state }: Query): boolean {
  const results = resultsSchema.safeParse(state.data);
  return !results.success || results.data.rows.some((row) => row.state === "waiting");
}

/** Calls for each batch at most once in a period, at its end. */
function mergeCalls(call: (batchId: string) => void): (batchId: string) => void {
  const waiting = new Set<string>();
  return (batchId) => {
    if (waiting.has(batchId)) return;
    waiting.add(batchId);
    setTimeout(() => {
      waiting.delete(batchId);
      call(batchId);
    }, resultsPeriod);
  };
}

interface Followed<T> {
  readonly open: () => Promise<AsyncIterable<T>>;
  /** Called each time that a stream begins: fetches what may have changed while there was none. */
  readonly onOpen: () => Promise<unknown>;
  readonly onEvent: (event: T) => void;
}

/** Follows a stream until the signal is aborted; after a break it asks for another. */
async function follow<T>({ open, onOpen, onEvent }: Followed<T>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await open();
      await onOpen();
      for await (const event of events) onEvent(event);
    } catch {
      // The connection is shown in the shell; here there is only to try again.
    }
    await wait(retryDelay, signal);
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
