import { describe, expect, test } from "vitest";
import { checkNumbers } from "../check-numbers.ts";
import { checkTimes } from "../check-times.ts";
import { findWrongBy } from "../test-find-wrong.ts";

const singer =
  "Ylva Marr (3 May 1901 – 9 June 1968) sang with the Tarn Trio in 1930-34 and won its prize in 1931, 1933 and 1934. Her first record came out in 1929. King Olaf V heard her in Bergen. The hall lies 40 m below the lake and was built in the 15th century.";
const rules =
  "The gate closes at 22:30, on Sundays at 16:00. The bus runs hourly. Drill: the hall was empty after 5 min 20 s, the yard after 7 min 40 s. The blanket is 80% wool and 20% linen. The price of 8,650 is lowered by 400. Readings are due by 31 January. Rent of EUR 1,350 is due monthly, and the deposit is two months' rent.";

describe("a number in another form is not called unknown", () => {
  test.each([
    ["a year in two digits", singer, "When did her first record come out?", "'29"],
    ["a year in words", singer, "When did her first record come out?", "In nineteen twenty-nine."],
    ["the end of a range in full", singer, "When did she sing with the trio?", "From 1930 to 1934."],
    ["the end of a range in two digits", singer, "When did she sing with the trio?", "1930–34"],
    ["an age", singer, "How old was Ylva Marr when she died?", "67"],
    ["an age", singer, "Tell me about her.", "Ylva Marr died at 67."],
    ["how many there are", singer, "How often did she win the prize?", "3 times"],
    ["an ordinal for a numeral", singer, "Which king heard her?", "Olaf the Fifth"],
    ["years of a century", singer, "When was the hall built?", "In the 1400s."],
    ["below zero", singer, "Where does the hall lie?", "At −40 m."],
    ["rounded decades", singer, "How long did she live?", "More than six decades."],
    ["a time in words", rules, "When does the gate close?", "At half past ten in the evening."],
    ["a time by twelve hours", rules, "When does the gate close on Sundays?", "4 pm"],
    ["a time with a dot", rules, "When does the gate close?", "10.30 pm"],
    ["a period in minutes", rules, "How often does the bus run?", "Every 60 minutes"],
    ["a length as a time", rules, "Which was empty first?", "The hall (5:20), before the yard (7:40)."],
    ["a length about", rules, "Which was empty first?", "The hall; the yard took more than seven and a half."],
    ["what several payments come to", rules, "How much is the deposit?", "EUR 2,700"],
    ["a share", rules, "What else is in the blanket?", "Linen makes up a fifth of it."],
    ["what is left", rules, "What is the price in the end?", "8,250"],
    ["what a question lets work out", rules, "What does each pay, if five share the price?", "1,730"],
    ["a time in bold", rules, "When does the gate close on Sundays?", "**16:00**"],
    ["a date in digits", rules, "When are readings due?", "31/01"],
  ])("%s: %s %s", (_, passage, question, response) => {
    expect(findWrongBy(checkNumbers, passage, question, response)).toEqual([[], []]);
    expect(findWrongBy(checkTimes, passage, question, response)).toEqual([[], []]);
  });
});

describe("a number that the text doesn't have in any form is found", () => {
  test.each([
    ["a year in two digits", singer, "When did her first record come out?", "'27"],
    ["a year in words", singer, "When did her first record come out?", "In nineteen twenty-seven."],
    ["an age", singer, "How old was Ylva Marr when she died?", "59"],
    ["more than several payments come to", rules, "How much is the deposit?", "EUR 3,700"],
    ["a share", rules, "What else is in the blanket?", "Linen makes up 30% of it."],
    ["what is left", rules, "What is the price in the end?", "8,350"],
    ["a period", rules, "How often does the bus run?", "Every 30 minutes"],
  ])("%s: %s %s", (_, passage, question, response) => {
    for (const reasons of findWrongBy(checkNumbers, passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("a number that two others happen to make is none of the text's", () => {
  const hall =
    "The hall has 300 seats and was opened in 1950. The stand has 40 rows. The song stayed there for nine weeks, and the other for one.";

  test.each([
    ["How many seats has the hall?", "It has 340 seats."],
    ["How many weeks did the song stay there?", "It stayed there for eight weeks."],
  ])("%s %s", (question, response) => {
    for (const reasons of findWrongBy(checkNumbers, hall, question, response)) expect(reasons).not.toEqual([]);
  });

  test("but a total is, where it is called one", () => {
    const response = "300 seats and 40 rows come to 340 in total.";
    for (const reasons of findWrongBy(checkNumbers, hall, "How many are there?", response)) expect(reasons).toEqual([]);
  });
});
