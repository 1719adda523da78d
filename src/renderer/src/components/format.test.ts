import { expect, test } from "vitest";
import { formatBytes, formatCost, formatCount, formatNumber } from "#contract";
import {
  formatDuration,
  formatLatency,
  formatRate,
  formatRelativeTime,
  formatShare,
  formatTimeLeft,
  roundLatency,
} from "./format.ts";

test("thousands are set apart", () => {
  expect(formatNumber(12_408)).toBe("12,408");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [5_130_000, "5.13 MB"],
  [999_600, "1 MB"],
  [200_000_000, "200 MB"],
])("%i bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0.4, "0 ms"],
  [12, "12 ms"],
  [820, "0.82 s"],
  [6_000, "6 s"],
  [5_853, "5.9 s"],
  [9_940, "9.9 s"],
  [59_400, "59 s"],
  [59_700, "1 min"],
  [200_000, "3 min 20 s"],
  [3_599_900, "1 h"],
  [7_500_000, "2 h 5 min"],
])("%i ms are %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

test.each([
  [94.4, "94.4"],
  [0.25, "0.3"],
  [1_204.2, "1,204"],
])("%d a second are %s", (rate, text) => expect(formatRate(rate)).toBe(text));

test("time left is shown in whole seconds", () => {
  expect(formatTimeLeft(3_430)).toBe("4 s");
  expect(formatTimeLeft(40)).toBe("1 s");
});

test.each([
  [4, "4 ms"],
  [604, "0.60 s"],
  [10_000, "10.00 s"],
  [200_000, "3 min 20 s"],
])("an answer that took %i ms took %s", (milliseconds, text) => {
  expect(formatLatency(milliseconds)).toBe(text);
  expect(formatLatency(roundLatency(milliseconds)), "what is copied is shown alike").toBe(text);
});

test.each([
  [0, "$0"],
  [0.000_021, "$0.000021"],
  [0.004_2, "$0.0042"],
  [0.01, "$0.01"],
  [0.0122, "$0.0122"],
  [0.0155, "$0.0155"],
  [0.0999, "$0.0999"],
  [0.27, "$0.27"],
  [3.1, "$3.10"],
  [1_204.4, "$1,204"],
])("%d dollars are %s", (dollars, text) => expect(formatCost(dollars)).toBe(text));

test("a share is not rounded up to the whole", () => {
  expect(formatShare(0.998)).toBe("99%");
  expect(formatShare(1)).toBe("100%");
});

test("times are relative to now, and by the calendar from the day before on", () => {
  const now = new Date(2026, 4, 12, 9, 30).getTime();
  const at = (...parts: [number, number, number, number, number]) =>
    formatRelativeTime(new Date(...parts).getTime(), now);
  expect(at(2026, 4, 12, 9, 29)).toBe("1 minute ago");
  expect(formatRelativeTime(now - 20_000, now)).toBe("just now");
  expect(at(2026, 4, 12, 6, 10)).toBe("3 hours ago");
  expect(at(2026, 4, 11, 23, 59)).toBe("yesterday");
  expect(at(2026, 4, 9, 12, 0)).toBe("3 days ago");
  expect(at(2026, 2, 12, 12, 0)).toBe("Mar 12");
  expect(at(2025, 2, 12, 12, 0)).toBe("Mar 12, 2025");
  expect(at(2026, 4, 12, 9, 34)).toBe("in 4 minutes");
  expect(at(2026, 4, 12, 12, 45)).toBe("in 3 hours");
  expect(at(2026, 4, 13, 9, 30)).toBe("tomorrow");
});

test("one line is not called lines", () => {
  expect(formatCount(1, "line")).toBe("1 line");
  expect(formatCount(3_319, "line")).toBe("3,319 lines");
  expect(formatCount(2, "batch", "batches")).toBe("2 batches");
});
