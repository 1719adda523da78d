import { expect, test } from "vitest";
import type { BatchDetail } from "#contract";
import { type BatchPages, mergeIntoDetail, mergeIntoPages } from "./batch-cache.ts";
import { makeBatch } from "./testing/make-batch.ts";

const pages: BatchPages = {
  pages: [
    { batches: [makeBatch({ id: "d" }), makeBatch({ id: "c" })], hasMore: true },
    { batches: [makeBatch({ id: "b" }), makeBatch({ id: "a" })], hasMore: false },
  ],
  pageParams: [undefined, "c"],
};

test("a changed batch stays in its place, and other pages stay as they are", () => {
  const merged = mergeIntoPages(pages, makeBatch({ id: "b", name: "changed" }));
  expect(merged.pages[1]?.batches.map(({ name }) => name)).toEqual(["changed", "Math questions"]);
  expect(merged.pages[0]).toBe(pages.pages[0]);
});

test("a new batch comes to the top", () => {
  const merged = mergeIntoPages(pages, makeBatch({ id: "e" }));
  expect(merged.pages.flatMap(({ batches }) => batches.map(({ id }) => id))).toEqual(["e", "d", "c", "b", "a"]);
});

const detail: BatchDetail = {
  ...makeBatch({ id: "a", status: "in_progress" }),
  throughput: [10, 20],
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
  const merged = mergeIntoDetail(detail, makeBatch({ id: "a", status: "in_progress", counts }), false);
  expect(merged.counts).toEqual(counts);
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
