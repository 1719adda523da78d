import { expect, test } from "vitest";
import { parseDeadline } from "./parse-deadline.ts";

const now = new Date(2026, 10, 22, 17, 30).getTime();
const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime();

test.each([
  ["18:00", at(22, 18, 0)],
  ["17:30", at(23, 17, 30)],
  ["8:05", at(23, 8, 5)],
  ["90m", at(22, 19, 0)],
  ["2h", at(22, 19, 30)],
  ["2026-11-24T08:00", at(24, 8, 0)],
  ["2026-11-22T17:00", null],
  ["24:00", null],
  ["12:60", null],
  ["tomorrow", null],
  ["18", null],
])("%s", (text, moment) => {
  expect(parseDeadline(text, now)).toBe(moment);
});
