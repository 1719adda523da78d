import { expect, test } from "vitest";
import { findMinimalChange, withPlainBreaks } from "./minimal-change.ts";

test.each([
  ["", "abc", { from: 0, to: 0, insert: "abc" }],
  ["abc", "", { from: 0, to: 3, insert: "" }],
  ["Review: ", "Review: {{ a }}", { from: 8, to: 8, insert: "{{ a }}" }],
  ["one two three", "one 2 three", { from: 4, to: 7, insert: "2" }],
  ["aa", "aaa", { from: 2, to: 2, insert: "a" }],
  ["aaa", "aa", { from: 2, to: 3, insert: "" }],
])("turns %j into %j with one replacement", (before, after, change) => {
  expect(findMinimalChange(before, after)).toEqual(change);
  expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
});

test("finds nothing to do between equal texts", () => {
  expect(findMinimalChange("same", "same")).toBeNull();
  expect(findMinimalChange("a\nb\nc\nd", "a\r\nb\rc\nd")).toBeNull();
  expect(findMinimalChange("a\nb", "a\r\nb\r\n")).toEqual({ from: 3, to: 3, insert: "\n" });
  expect(withPlainBreaks("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
});
