import { expect, test } from "vitest";
import { findJsonError } from "./json-errors.ts";

test.each([
  ['{"a": [1, 2, "x"], "b": null}', null],
  ["{seed: 7}", 1],
  ["[1,x]", 3],
  ['{"a": 1,}', 8],
  ['{"a": 1 "b": 2}', 8],
  ['{"a": 1', 7],
  ['{"a": "unended', 14],
  ['{"a": 01}', 7],
  ['{"a": tru}', 9],
])("the mistake in %s is found", (text, at) => {
  expect(findJsonError(text)?.at ?? null).toBe(at);
});
