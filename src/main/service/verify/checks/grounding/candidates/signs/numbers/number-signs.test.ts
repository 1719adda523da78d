import { describe, expect, test } from "vitest";
import { findCandidate } from "../test-find-candidate.ts";
import { readAskedYearSigns } from "./asked-year-signs.ts";
import { readNumberSigns } from "./number-signs.ts";
import { readYearSigns } from "./year-signs.ts";

/** The signs that are not 0 of the candidate that has a word, for a question about a passage. */
function signsOf(passage: string, question: string, word: string): Readonly<Record<string, number>> {
  const { context, candidate } = findCandidate(passage, question, word);
  const all = {
    ...readNumberSigns(context, candidate),
    ...readYearSigns(context, candidate),
    ...readAskedYearSigns(context, candidate),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}

const line =
  "The Orm Line is 418 km long and takes 7 hours 35 minutes. It was opened on 12 May with 21 small stations and carries 900 people a day.";
const mill =
  "The mill was founded in 1871 and closed in 1954. Its owner Ada Krohn (3 May 1840 – 9 June 1912) lived next to it. A warranty covers the wheel for 5 years, the roof for 11.";
const writer =
  'Iver Dahl is known for "Still Water" (1931) and "The Long Barn" (1938), and led the Norwick Players (1926–1929) and the Molde Stage (1933–1940).';

describe("what a number is of", () => {
  test.each([
    ["a length", "How long is the Orm Line?", "418", { measureSame: 1 }],
    ["a part of a duration", "How long does the Orm Line take?", "35", { measureOther: 1 }],
    ["a count of something else", "How many stations does the Orm Line have?", "900", { countedOther: 1 }],
    ["the count that is asked for", "How many stations does the Orm Line have?", "21", { countedSame: 1 }],
    ["the day of a date", "How many stations does the Orm Line have?", "12", { numberOfDate: 2 }],
    ["a length for a count", "How many stations does the Orm Line have?", "418", { countedOther: 1 }],
  ])("%s: %s %s", (_, question, word, expected) => {
    expect(signsOf(line, question, word)).toEqual(expected);
  });

  test("takes what is left out from the number before", () => {
    const signs = signsOf(mill, "For how many years is the roof covered?", "11");
    expect(signs).toEqual({ measureSame: 0.6, countedSame: 0.6 });
  });

  test("says nothing where nothing is measured or counted", () => {
    expect(signsOf(line, "Who opened the Orm Line?", "21")).toEqual({});
  });
});

describe("what a year is the year of", () => {
  test.each([
    ["In what year was the mill started?", "1871", { eventSame: 1 }],
    ["In what year was the mill started?", "1954", { eventOther: 1 }],
    ["In what year was the mill started?", "1840", { lifeUnasked: 1 }],
    ["In what year did Ada Krohn die?", "1912", { lifeSame: 2 }],
    ["In what year did Ada Krohn die?", "1840", { lifeOther: 2 }],
  ])("%s %s", (question, word, expected) => {
    expect(signsOf(mill, question, word)).toMatchObject(expected);
  });
});

describe("the years in brackets after a name", () => {
  test.each([
    ["Which book did Dahl write in 1938?", "Barn", { askedYearAfter: 1 }],
    ["Which book did Dahl write in 1938?", "Water", { otherYearAfter: 1 }],
    ["Whom did Dahl lead in 1935?", "Molde", { askedYearAfter: 1 }],
    ["Whom did Dahl lead in 1950?", "Molde", {}],
  ])("%s %s", (question, word, expected) => {
    expect(signsOf(writer, question, word)).toEqual(expected);
  });
});
