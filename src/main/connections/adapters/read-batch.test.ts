import { describe, expect, it } from "vitest";
import { readBatch, readBatchList, readStatus } from "./read-batch.ts";

/** As the API that all of them follow answers it. */
const plain = {
  id: "batch_1",
  object: "batch",
  endpoint: "/v1/chat/completions",
  status: "in_progress",
  input_file_id: "file_1",
  output_file_id: null,
  error_file_id: null,
  created_at: 1_793_900_000,
  expires_at: 1_793_986_400,
  completed_at: null,
  request_counts: { total: 5, completed: 3, failed: 1 },
  metadata: { name: "reviews" },
  errors: null,
};

const read = {
  id: "batch_1",
  status: "in_progress",
  isUnknown: false,
  rawStatus: "in_progress",
  counts: { total: 5, completed: 3, failed: 1, done: 4 },
  inputFileId: "file_1",
  outputFileId: null,
  errorFileId: null,
  createdAt: 1_793_900_000_000,
  endedAt: null,
  expiresAt: 1_793_986_400_000,
  metadata: { name: "reviews" },
  errors: [],
};

describe("a batch of a service elsewhere", () => {
  it("is read as the API shows it", () => expect(readBatch(plain)).toEqual(read));

  /** The service, its batch object, and the fields that are read differently. */
  const deviations: [string, unknown, Partial<typeof read> | Record<string, unknown>][] = [
    ["Sheaf: times as decimal strings", { ...plain, created_at: "1793900000", expires_at: "1793986400" }, {}],
    ["Together: ISO times", { ...plain, created_at: "2026-11-06T00:53:20Z" }, { createdAt: 1_793_926_400_000 }],
    ["an empty string for a time", { ...plain, created_at: "" }, { createdAt: null }],
    ["Together: a wrapper {job, warning}", { job: plain, warning: "x" }, {}],
    ["Together: no counts, a percentage", { ...plain, request_counts: undefined, progress: 60 }, { counts: null }],
    ["counts null", { ...plain, request_counts: null }, { counts: null }],
    ["counts as strings", { ...plain, request_counts: { total: "5", completed: "3", failed: "1" } }, {}],
    [
      "counts without failures",
      { ...plain, request_counts: { total: 5, completed: 3 } },
      { counts: { total: 5, completed: 3, failed: 0, done: 3 } },
    ],
    ["Together: upper case", { ...plain, status: "IN_PROGRESS" }, { rawStatus: "IN_PROGRESS" }],
    ["Novita: PROGRESS", { ...plain, status: "PROGRESS" }, { rawStatus: "PROGRESS" }],
    ["one l", { ...plain, status: "canceled" }, { status: "cancelled", rawStatus: "canceled" }],
    [
      "kluster.ai: pre_schedule",
      { ...plain, status: "pre_schedule" },
      { status: "validating", rawStatus: "pre_schedule" },
    ],
    ["an unknown word", { ...plain, status: "warming up" }, { rawStatus: "warming up", isUnknown: true }],
    ["an empty string for a file", { ...plain, output_file_id: "" }, {}],
    [
      "completed without an output file",
      { ...plain, status: "completed", output_file_id: undefined },
      { status: "completed", rawStatus: "completed" },
    ],
    ["errors as a list of sentences", { ...plain, errors: ["no credit"] }, { errors: ["no credit"] }],
    ["no expiry, as of Azure", { ...plain, expires_at: null }, { expiresAt: null }],
    [
      "an end, whichever of the four it is",
      { ...plain, status: "expired", expired_at: "1793900060" },
      { status: "expired", rawStatus: "expired", endedAt: 1_793_900_060_000 },
    ],
    ["errors as a sentence", { ...plain, errors: "no credit" }, { errors: ["no credit"] }],
    ["Together: error, a sentence", { ...plain, error: "no credit" }, { errors: ["no credit"] }],
    ["errors as []", { ...plain, errors: [] }, {}],
    [
      "errors as a list object",
      { ...plain, errors: { object: "list", data: [{ code: "x", message: "line 3" }] } },
      { errors: ["line 3"] },
    ],
    ["no metadata", { ...plain, metadata: null }, { metadata: {} }],
  ];

  it.each(deviations)("%s", (_who, value, difference) => expect(readBatch(value)).toEqual({ ...read, ...difference }));

  it("is none without an id or a status", () => {
    for (const value of [null, "batch", [], {}, { id: "", status: "completed" }, { id: "batch_1" }]) {
      expect(readBatch(value)).toBeNull();
    }
  });

  it.each([
    ["JOB_STATE_PENDING", "validating"],
    ["JOB_STATE_QUEUED", "validating"],
    ["JOB_STATE_RUNNING", "in_progress"],
    ["JOB_STATE_UPDATING", "in_progress"],
    ["JOB_STATE_EXPIRED", "expired"],
    ["QUEUED", "validating"],
    ["SUCCESS", "completed"],
    ["CANCELLATION_REQUESTED", "cancelling"],
    ["canceling", "cancelling"],
    ["JOB_STATE_PARTIALLY_SUCCEEDED", "completed"],
    ["JOB_STATE_CANCELLING", "cancelling"],
    ["JOB_STATE_PAUSED", "in_progress"],
    ["TIMEOUT_EXCEEDED", "expired"],
    ["BATCH_STATE_SUCCEEDED", "completed"],
    ["ended", "completed"],
    ["done", "completed"],
    ["finished", "completed"],
    ["PartiallyCompleted", "completed"],
    ["error", "failed"],
    ["JOB_STATE_ERRORED", "failed"],
    ["aborted", "failed"],
  ])("%s is %s", (word, status) => expect(readStatus(word).status).toBe(status));
});

describe("a list of batches", () => {
  it("is a list object with paging, or a bare array", () => {
    expect(readBatchList({ object: "list", data: [plain], has_more: true })).toEqual({
      batches: [read],
      hasMore: true,
    });
    expect(readBatchList([plain, { id: 7 }])).toEqual({ batches: [read], hasMore: false });
    expect(readBatchList("<html>")).toBeNull();
  });
});
