import { expect, test } from "vitest";
import type { RequestRow } from "#contract";
import { applyNews, describeEnd, describeOutcome, filterRequests } from "./request-rows.ts";

const row = (id: number, over: Partial<RequestRow> = {}): RequestRow => ({
  id: `req_${id}`,
  answered_at: "2026-01-01T00:00:00.000Z",
  method: "GET",
  path: "/v1/models",
  query: "",
  state: "completed",
  status: 200,
  bytes_sent: 300,
  duration_ms: 1,
  rule: null,
  ...over,
});
const ids = (rows: readonly RequestRow[]) => rows.map(({ id }) => id);

test("the newest request is first, the last 1,000 stay, and a clearing drops what was before", () => {
  const first = applyNews([], { cleared: true, requests: [row(1), row(2)] });
  expect(ids(first)).toEqual(["req_2", "req_1"]);
  expect(ids(applyNews(first, { cleared: false, requests: [row(3)] }))).toEqual(["req_3", "req_2", "req_1"]);
  const many = Array.from({ length: 1_200 }, (_, at) => row(at + 10));
  expect(applyNews(first, { cleared: false, requests: many })).toHaveLength(1_000);
  expect(ids(applyNews(first, { cleared: true, requests: [row(4)] }))).toEqual(["req_4"]);
});

test("requests are found by method, part of the address, and kind of status", () => {
  const rows = [
    row(1),
    row(2, { method: "POST", path: "/v1/batches", status: 404 }),
    row(3, { path: "/v1/files", query: "purpose=Batch", status: 503 }),
  ];
  expect(filterRequests(rows, {})).toBe(rows);
  expect(ids(filterRequests(rows, { method: "POST" }))).toEqual(["req_2"]);
  expect(ids(filterRequests(rows, { path: "batch" }))).toEqual(["req_2", "req_3"]);
  expect(ids(filterRequests(rows, { status: "5xx" }))).toEqual(["req_3"]);
  expect(ids(filterRequests(rows, { path: "batch", status: "2xx" }))).toEqual([]);
});

test("a request without a whole answer shows how it ended", () => {
  expect(describeEnd(row(1, { status: 404 }))).toBe("404");
  expect(describeOutcome(row(1, { status: 404 }))).toBe("Answered with 404 in 1.0 ms");
  expect(describeEnd(row(1, { state: "aborted", status: null }))).toBe("aborted");
  expect(describeOutcome(row(1, { state: "aborted", status: null }))).toBe(
    "Aborted by the client after 1.0 ms, before an answer began",
  );
  expect(describeOutcome(row(1, { state: "dropped" }))).toBe(
    "Broken off by the server after 1.0 ms, 300 bytes into an answer with 200",
  );
});
