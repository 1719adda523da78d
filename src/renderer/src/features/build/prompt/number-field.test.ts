import { expect, test } from "vitest";
import { readNumber } from "./number-field.ts";

const temperature = { least: 0, most: 2, isWhole: false };
const tokens = { least: 1, most: null, isWhole: true };

test.each([
  ["", temperature, null, null],
  [" 0.7 ", temperature, 0.7, null],
  [".5", temperature, 0.5, null],
  ["0,7", temperature, null, "Write 0.7, with a point."],
  ["-1", temperature, -1, "From 0 to 2."],
  ["2.5", temperature, 2.5, "From 0 to 2."],
  ["hot", temperature, null, "This is not a number."],
  ["1e2", tokens, 100, null],
  ["2.5", tokens, null, "Only whole numbers fit here."],
  ["0", tokens, 0, "1 or more."],
] as const)("%j is read, or explained", (typed, rule, value, problem) => {
  expect(readNumber(typed, rule)).toEqual({ value, problem });
});
