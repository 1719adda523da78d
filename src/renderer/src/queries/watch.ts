import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type BatchDetail, type BatchView, finalStatuses, type GradeRun, type VerificationRun } from "#contract";
import { type Api, type Rpc, useBridge } from "../bridge/index.ts";
import { batchDetailOptions, batchListOptions, invalidateLeft } from "./batch-queries.ts";
import { invalidateResults } from "./invalidate-results.ts";
import { type BatchRun, gradingOptions, verificationOptions } from "./run-queries.ts";

/** Between two samples of a batch's rate, in milliseconds. */
const samplePeriod = 1_000;
/** The most samples of a rate that are stored; a longer run keeps every second one, and so on. */
const mostSamples = 120;
/** Between two fetches of the results in view, in milliseconds. */
const resultsPeriod = 400;
/** How long to wait before asking again after the stream broke while the connection held, in milliseconds. */
const retryDelay = 1_000;

/** What the changes of batches need of the bridge. */
export interface WatchBridge {
  readonly rpc: Pick<Rpc, "batches">;
  readonly api: Pick<Api, "batches" | "results">;
}

/** Keeps all that is shown of batches, their results, verifications and grades up to date. Called once, by the shell. */
export function useBatchesWatch(): void {
  const bridge = useBridge();
  const queryClient = useQueryClient();
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const { rpc, api } = bridge;
    void watchBatches(bridge, queryClient, signal);
    const verifications: WatchedRuns<VerificationRun> = {
      open: () => rpc.verifications.watch(undefined, { signal }),
      all: api.verifications.key(),
      keyOf: (batchId) => verificationOptions(api, batchId).queryKey,
      lineOf: (batchId) => api.verifications.line.key({ input: { batchId } }),
    };
    const grades: WatchedRuns<GradeRun> = {
      open: () => rpc.grades.watch(undefined, { signal }),
      all: api.grades.key(),
      keyOf: (batchId) => gradingOptions(api, batchId).queryKey,
      lineOf: (batchId) => api.grades.line.key({ input: { batchId } }),
    };
    void watchRuns(verifications, api, queryClient, signal);
    void watchRuns(grades, api, queryClient, signal);
    return () => end.abort();
  }, [bridge, queryClient]);
}

/**
 * Follows every change of every batch and writes it into the cache, until the signal is aborted. One stream serves
 * the whole page. After a break it asks again, and fetches once what may have changed in between.
 */
export function watchBatches({ rpc, api }: WatchBridge, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const sampledAt = new Map<string, number>();
  /** How many damaged answers were reported of each batch: which ones is read anew when they are more. */
  const damagedOf = new Map<string, number>();
  const listKey = batchListOptions(api).queryKey;
  // Only lines that wait for their answer can change with the batch.
  const refreshResults = mergeCalls((batchId) => void invalidateResults(queryClient, api, batchId, "waiting"));

  const apply = (batch: BatchView) => {
    const now = Date.now();
    const sample = batch.status === "in_progress" && now - (sampledAt.get(batch.id) ?? 0) >= samplePeriod;
    if (sample) sampledAt.set(batch.id, now);
    // A trial belongs to its draft, and is in no list.
    if (batch.link?.kind !== "trial") queryClient.setQueryData(listKey, (list) => list && mergeIntoList(list, batch));
    refreshResults(batch.id);
    const { damaged } = batch.counts;
    if (damaged !== (damagedOf.get(batch.id) ?? 0)) {
      damagedOf.set(batch.id, damaged);
      void invalidateResults(queryClient, api, batch.id);
      invalidateLeft(queryClient, api);
    }
    if (batch.link?.kind === "retry" && finalStatuses.has(batch.status)) {
      void invalidateResults(queryClient, api, batch.link.root);
      invalidateLeft(queryClient, api);
    }

    const detailKey = batchDetailOptions(api, batch.id).queryKey;
    const before = queryClient.getQueryData(detailKey);
    if (before === undefined) return;
    queryClient.setQueryData(detailKey, mergeIntoDetail(before, batch, sample));
    if (before.status !== batch.status) void queryClient.invalidateQueries({ queryKey: detailKey });
  };

  return followStream(
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

export interface WatchedRuns<Of extends BatchRun> {
  readonly open: () => Promise<AsyncIterable<Of>>;
  /** Everything of these runs that is in the cache. */
  readonly all: QueryKey;
  /** Where the run of a batch is in the cache. */
  readonly keyOf: (batchId: string) => QueryKey;
  /** Where its outcome for single lines is. */
  readonly lineOf: (batchId: string) => QueryKey;
}

/** Follows the runs over the answers of every batch and writes them into the cache, until the signal is aborted. */
export function watchRuns<Of extends BatchRun>(
  { open, all, keyOf, lineOf }: WatchedRuns<Of>,
  api: Pick<Api, "batches" | "results" | "compare">,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  // An outcome may come for any line, and go when the run is started over. Batches are compared by their outcomes, too.
  const refreshLines = (batchId: string) => {
    for (const queryKey of [lineOf(batchId), api.batches.qualities.key(), api.compare.key()]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    return invalidateResults(queryClient, api, batchId);
  };
  const refreshSoon = mergeCalls((batchId) => void refreshLines(batchId));
  const newest = new Map<string, Of>();
  const apply = async (run: Of) => {
    const { batchId, state } = run;
    newest.set(batchId, run);
    // The end of a run is announced: by then its outcomes are on screen.
    if (state === "running") refreshSoon(batchId);
    else await refreshLines(batchId);
    if (newest.get(batchId) === run) queryClient.setQueryData(keyOf(batchId), run);
  };
  return followStream(
    {
      open,
      onOpen: () => queryClient.invalidateQueries({ queryKey: all }),
      onEvent: (run) => void apply(run),
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
 * Brings what is shown of one batch up to date with a change of it. The rate is sampled when `sample` is true; what
 * the change does not carry (problems, ids of files on the wire) stays until it is fetched again.
 */
export function mergeIntoDetail(detail: BatchDetail, batch: BatchView, sample: boolean): BatchDetail {
  return {
    ...detail,
    ...batch,
    throughput: sample && batch.rate !== null ? thin([...detail.throughput, batch.rate]) : detail.throughput,
    left: moveLeft(detail, batch),
    wire: { ...detail.wire, status: batch.status, request_counts: toWireCounts(detail, batch) },
  };
}

/** What has failed since has not been asked again yet. */
function moveLeft({ left, counts, ends }: BatchDetail, batch: BatchView): BatchDetail["left"] {
  const move = (name: "failed" | "damaged" | "neverRan" | "awaited", from: number) =>
    Math.max(0, from + batch.counts[name] - counts[name]);
  const moveEnd = (name: "cut" | "empty") => Math.max(0, left[name] + (batch.ends?.[name] ?? 0) - (ends?.[name] ?? 0));
  return {
    failed: move("failed", left.failed),
    errors: left.errors,
    damaged: move("damaged", left.damaged),
    neverRan: move("neverRan", left.neverRan),
    awaited: move("awaited", left.awaited),
    mayBePaid: move("awaited", left.mayBePaid),
    cut: moveEnd("cut"),
    empty: moveEnd("empty"),
  };
}

/** On the wire, what has ended is counted as it ended, damaged or not. */
function toWireCounts(before: BatchDetail, { counts }: BatchView): BatchDetail["wire"]["request_counts"] {
  if (finalStatuses.has(before.status)) return before.wire.request_counts;
  const { total, completed, failed } = counts;
  return { total, completed, failed };
}

function thin(samples: readonly number[]): number[] {
  return samples.length <= mostSamples ? [...samples] : samples.filter((_, at) => at % 2 === 1);
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
  readonly onOpen?: () => Promise<unknown>;
  readonly onEvent: (event: T) => void;
}

/** Follows a stream until the signal is aborted; after a break it asks for another. */
export async function followStream<T>(
  { open, onOpen = async () => {}, onEvent }: Followed<T>,
  signal: AbortSignal,
): Promise<void> {
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
