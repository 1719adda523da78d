import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import { EventPublisher, implement } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { type BatchDetail, type BatchView, rpcContract } from "#contract";
import type { Rpc } from "../bridge/index.ts";
import { batchListOptions } from "./batch-queries.ts";
import { makeBatch, makeRow } from "./make-batch.ts";
import type { BatchRun } from "./run-queries.ts";
import { mergeIntoDetail, mergeIntoList, type WatchedRuns, watchBatches, watchRuns } from "./watch.ts";

const os = implement(rpcContract.batches);
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A service with some batches, behind a real MessagePort, and a page that watches it. */
async function startWatching(batches: BatchView[]) {
  const changes = new EventPublisher<{ batch: BatchView }>();
  const watch = { streams: 0, breakNext: false };
  const router = {
    list: os.list.handler(() => ({ batches: [...batches], hasMore: false })),
    watch: os.watch.handler(async function* ({ signal }) {
      watch.streams += 1;
      for await (const batch of changes.subscribe("batch", signal ? { signal } : {})) {
        if (watch.breakNext) return;
        yield batch;
      }
    }),
  };
  const { port1, port2 } = new MessageChannel();
  new RPCHandler({ batches: router }).upgrade(port1);
  const rpc: Rpc = createORPCClient(new RPCLink({ port: port2 }));
  port1.start();
  port2.start();

  const api = createTanstackQueryUtils(rpc);
  const queryClient = new QueryClient();
  const list = batchListOptions(api);
  const onScreen = new QueryObserver(queryClient, list).subscribe(() => {});
  const end = new AbortController();
  const watching = watchBatches({ rpc, api }, queryClient, end.signal);
  cleanUps.push(() => {
    end.abort();
    onScreen();
    port1.close();
    queryClient.clear();
  });
  const names = () => queryClient.getQueryData(list.queryKey)?.map(({ name }) => name);
  await expect.poll(() => watch.streams).toBe(1);
  return { changes, watch, names, watching, end, queryClient, api };
}

test("a change of a batch shows in the list as it happens", async () => {
  const { changes, names } = await startWatching([makeBatch({ id: "a", name: "first" })]);
  const publishAndRead = () => {
    changes.publish("batch", makeBatch({ id: "b", name: "second" }));
    return names();
  };
  await expect.poll(publishAndRead).toEqual(["second", "first"]);
});

test("when the stream breaks it is asked for again, and the list is fetched again", async () => {
  const batches = [makeBatch({ id: "a", name: "first" })];
  const { changes, watch, names } = await startWatching(batches);
  batches.unshift(makeBatch({ id: "b", name: "made meanwhile" }));
  watch.breakNext = true;
  changes.publish("batch", makeBatch({ id: "a", name: "lost" }));
  await expect.poll(() => watch.streams).toBe(2);
  watch.breakNext = false;
  changes.publish("batch", makeBatch({ id: "a", name: "changed" }));
  await expect.poll(() => names()).toEqual(["made meanwhile", "changed"]);
});

test("a change of a batch makes only results old that still wait for something", async () => {
  const { changes, queryClient, api } = await startWatching([makeBatch({ id: "a" })]);
  const key = (offset: number) => api.results.rows.experimental_liveKey({ input: { batchId: "a", offset, limit: 1 } });
  queryClient.setQueryData(key(0), { total: 2, rows: [makeRow({ state: "answered" })], progress: null });
  queryClient.setQueryData(key(1), { total: 2, rows: [makeRow({ state: "waiting" })], progress: null });
  changes.publish("batch", makeBatch({ id: "a", name: "changed" }));
  await expect.poll(() => queryClient.getQueryState(key(1))?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(key(0))?.isInvalidated).toBe(false);
});

test("the end of a run is shown when the results on screen have its outcomes", async () => {
  const { queryClient, api, end } = await startWatching([makeBatch({ id: "a" })]);
  const fetched = Promise.withResolvers<string>();
  const answers = [Promise.resolve("before"), fetched.promise];
  const rowsKey = api.results.rows.experimental_liveKey({ input: { batchId: "a", offset: 0, limit: 1 } });
  const rows = { queryKey: rowsKey, queryFn: () => answers.shift() ?? "graded", staleTime: Number.POSITIVE_INFINITY };
  cleanUps.push(new QueryObserver(queryClient, rows).subscribe(() => {}));
  await expect.poll(() => queryClient.getQueryData(rowsKey)).toBe("before");

  const run = { batchId: "a", total: 1, rate: null, timeLeft: null, problem: null } as const;
  async function* events() {
    yield { ...run, state: "running" as const, done: 0 };
    yield { ...run, state: "done" as const, done: 1 };
  }
  const runs: WatchedRuns<BatchRun> = {
    open: async () => events(),
    all: ["runs"],
    keyOf: () => ["runs", "a"],
    lineOf: () => ["lines", "a"],
  };
  void watchRuns(runs, api, queryClient, end.signal);
  await expect.poll(() => answers.length).toBe(0);
  expect(queryClient.getQueryData(["runs", "a"])).toMatchObject({ state: "running" });
  fetched.resolve("graded");
  await expect.poll(() => queryClient.getQueryData(["runs", "a"])).toMatchObject({ state: "done" });
  expect(queryClient.getQueryData(rowsKey)).toBe("graded");
});

test("it ends with its signal", async () => {
  const { watching, end } = await startWatching([]);
  end.abort();
  await expect(watching).resolves.toBeUndefined();
});

test("a changed batch stays in its place, and a new one comes to the top", () => {
  const list = [makeBatch({ id: "b" }), makeBatch({ id: "a" })];
  expect(mergeIntoList(list, makeBatch({ id: "a", name: "changed" })).map(({ name }) => name)).toEqual([
    "Math questions",
    "changed",
  ]);
  expect(mergeIntoList(list, makeBatch({ id: "c" })).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

const detail: BatchDetail = {
  ...makeBatch({ id: "a", status: "in_progress" }),
  throughput: [10, 20],
  left: { failed: 0, errors: {}, damaged: 0, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
  problems: [],
  wire: {
    id: "a",
    object: "batch",
    endpoint: "/v1/chat/completions",
    errors: null,
    input_file_id: "file_1",
    completion_window: "24h",
    status: "in_progress",
    output_file_id: null,
    error_file_id: null,
    created_at: "1",
    in_progress_at: "1",
    expires_at: "86401",
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    request_counts: { total: 10, completed: 0, failed: 0 },
    metadata: {},
  },
};

test("a change moves the counts, on the wire too", () => {
  const counts = { total: 10, completed: 4, failed: 1 };
  const change = makeBatch({
    id: "a",
    status: "in_progress",
    counts: { ...counts, damaged: 0, neverRan: 0, awaited: 0 },
  });
  const merged = mergeIntoDetail(detail, change, false);
  expect(merged.counts).toEqual(change.counts);
  expect(merged.wire.request_counts).toEqual(counts);
  expect(merged.throughput).toEqual([10, 20]);
});

test("the rate is sampled when asked, and thinned out on long runs", () => {
  const change = makeBatch({ id: "a", status: "in_progress", rate: 30 });
  expect(mergeIntoDetail(detail, change, true).throughput).toEqual([10, 20, 30]);
  const long = { ...detail, throughput: Array.from({ length: 120 }, (_, at) => at) };
  const thinned = mergeIntoDetail(long, change, true).throughput;
  expect(thinned).toHaveLength(60);
  expect(thinned.slice(0, 3)).toEqual([1, 3, 5]);
});
