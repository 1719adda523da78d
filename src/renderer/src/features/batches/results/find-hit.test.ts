import { expect, test } from "vitest";
import { findHit } from "./find-hit.ts";

test("a line is found among the pages that have been fetched", () => {
  const pages = new Map([
    [0, undefined],
    [2, [{ line: 700 }, { line: 812 }]],
  ]);
  expect(findHit(pages, 812)).toBe(201);
  expect(findHit(pages, 5)).toBeNull();
});
