import { expect, test } from "vitest";
import { hasWaiting, pagesOf } from "./result-pages.ts";

test("rows lead to the pages that hold them", () => {
  expect(pagesOf(0, 40)).toEqual([0]);
  expect(pagesOf(90, 130)).toEqual([0, 1]);
  expect(pagesOf(999_950, 999_999)).toEqual([9_999]);
  expect(pagesOf(0, -1)).toEqual([]);
});

test("a page is final when none of its lines waits", () => {
  expect(hasWaiting([{ state: "answered" }, { state: "waiting" }])).toBe(true);
  expect(hasWaiting([{ state: "answered" }, { state: "failed" }, { state: "skipped" }])).toBe(false);
});
