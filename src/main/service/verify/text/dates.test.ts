import { expect, test } from "vitest";
import { readDates, readDurations } from "./dates.ts";
import { readNumbers } from "./numbers.ts";

const show = (text: string) =>
  readDates(text, readNumbers(text)).map((date) => [text.slice(date.start, date.end), date.year, date.month, date.day]);

test.each([
  ["5 March 2024", 2024, 3, 5],
  ["March 5th, 2024", 2024, 3, 5],
  ["4th of July, 1776", 1776, 7, 4],
  ["Aug. 9, 1974", 1974, 8, 9],
  ["2024-05-06", 2024, 5, 6],
  ["March 1925", 1925, 3, null],
  ["July 4", null, 7, 4],
  ["12 May 44 BC", -44, 5, 12],
])("%j is read as written", (text, year, month, day) => {
  expect(show(`It was on ${text}.`)).toEqual([[text, year, month, day]]);
});

test("years alone, of periods and before Christ, and decades", () => {
  expect(show("Work began in 1925. It was opened in 1937.").map(([, year]) => year)).toEqual([1925, 1937]);
  expect(show("the war (1925–1937)").map(([, year]) => year)).toEqual([1925, 1937]);
  expect(show("in 44 BC").map(([, year]) => year)).toEqual([-44]);
  expect(readDates("the 1920s", readNumbers("the 1920s"))).toMatchObject([{ year: 1920, isDecade: true }]);
});

test("numbers and words that only look like dates are none", () => {
  expect(show("2000 people and 1500 men may march with 5 dogs; 2 + 3 = 1925; $1999; 1850 km")).toEqual([]);
});

test("the weekday that is named with a date is known", () => {
  const weekday = (text: string) => readDates(text, readNumbers(text)).map((date) => date.weekday);
  expect(weekday("Monday, 5 March 2024")).toEqual([1]);
  expect(weekday("July 4, 1776 was a Thursday")).toEqual([4]);
  expect(weekday("5 March 2024")).toEqual([null]);
});

test("a date in digits that could be read in two ways says so", () => {
  expect(readDates("on 03/05/1988", readNumbers("on 03/05/1988"))).toMatchObject([{ isAmbiguous: true }]);
});

test("lengths of time, in digits and words", () => {
  const text = "after twelve years, a 90-minute film, 3 days; the 90s";
  expect(readDurations(readNumbers(text)).map(({ value, unit }) => [value, unit])).toEqual([
    [12, "yr"],
    [90, "min"],
    [3, "d"],
  ]);
});
