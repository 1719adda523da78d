import { expect, test } from "vitest";
import { cutKey, findKeyProblem } from "./key-text.ts";

test.each([
  ["sk-1\n", "sk-1"],
  ["  sk-1\r\n", "sk-1"],
  ["\uFEFFsk-1\u00a0", "sk-1"],
  ["Bearer sk-1", "sk-1"],
  ["bearer  sk-1 ", "sk-1"],
  ["Authorization: Bearer sk-1", "sk-1"],
  ["Bearer ", ""],
  ["bearer-of-news", "bearer-of-news"],
  ["my secret", "my secret"],
])("the key of %j is %j", (text, key) => {
  expect(cutKey(text)).toBe(key);
});

test.each([
  ["sk-1", null],
  ["my secret", null],
  ["clé", null],
  ["sk-\n1", "a line end at position 4"],
  ["sk\t1", "a tab at position 3"],
  ["sk-1\u200b", "an invisible character (U+200B) at position 5"],
  ["s\u00adk", "an invisible character (U+00AD) at position 2"],
  ["s\u00a0k", "an invisible character (U+00A0) at position 2"],
  ["sk-12…89", "the character “…” (U+2026) at position 6"],
  ["😀\0", "the character “😀” (U+1F600) at position 1"],
])("of %j is said: %s", (key, problem) => {
  expect(findKeyProblem(key)).toBe(problem);
});
