import { expect, test } from "vitest";
import { findLine, pagesOf } from "./use-row-pages.ts";

test("rows lead to the pages that hold them", () => {
  expect(pagesOf(0, 40)).toEqual([0]);
  expect(pagesOf(90, 130)).toEqual([0, 1]);
  expect(pagesOf(999_950, 999_999)).toEqual([9_999]);
  expect(pagesOf(0, -1)).toEqual([]);
});

test("a line is found among the pages that have been fetched", () => {
  const pages = new Map([
    [0, undefined],
    [2, [{ line: 700 }, { line: 812 }]],
  ]);
  expect(findLine(pages, 812)).toBe(201);
  expect(findLine(pages, 5)).toBeNull();
});
