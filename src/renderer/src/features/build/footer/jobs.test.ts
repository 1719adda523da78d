import { expect, test } from "vitest";
import { allRows, type Rows } from "#contract";
import { countRequests, leaveOutReused, sumSizes } from "./jobs.ts";

const size = {
  done: 10,
  total: 10,
  finished: true,
  requests: 8,
  blocked: false,
  bytes: 800,
  promptTokens: 80,
  prompts: [{ lines: 8, promptTokens: 80 }],
};
const exact = { ...size, tokensExact: true };

test("several batches are as much as all of them, one that is not checked yet about as much as another", () => {
  expect(sumSizes([null, null])).toBeNull();
  expect(sumSizes([exact, { ...exact, requests: 2, promptTokens: 20 }])).toMatchObject({
    ...{ requests: 10, promptTokens: 100, bytes: 1_600, finished: true, tokensExact: true },
  });
  expect(sumSizes([exact, null])).toMatchObject({ requests: 16, promptTokens: 160, finished: false });
});

test("what is answered already, or asked once for all, is left out of what is asked", () => {
  const reusable = { reusable: 4, identical: 2, parts: null };
  expect(leaveOutReused(exact, reusable, allRows)).toMatchObject({
    ...{ requests: 4, promptTokens: 40, prompts: [{ lines: 4, promptTokens: 40 }], tokensExact: false },
  });
  expect(leaveOutReused(exact, reusable, { ...allRows, onceIdentical: true }).requests).toBe(2);
  expect(leaveOutReused(exact, reusable, { ...allRows, reuse: false })).toBe(exact);
});

test("how many requests filtered rows make is not said before they have been counted", () => {
  const source = { rowCount: 200, holds: "rows" } as const;
  const filtered: Rows = { ...allRows, filter: [{ path: "split", op: "equals", value: "test" }] };
  expect(countRequests(source, allRows, 2, null)).toBe(400);
  expect(countRequests(source, { ...allRows, take: "first", count: 50 }, 1, null)).toBe(50);
  expect(countRequests(source, filtered, 1, null)).toBeNull();
  expect(countRequests(source, filtered, 1, { ...exact, total: 108, finished: false })).toBe(108);
  expect(countRequests(source, filtered, 1, exact)).toBe(8);
});
