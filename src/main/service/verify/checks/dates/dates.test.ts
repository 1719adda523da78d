import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInput } from "../../read-input.ts";
import { checkDates } from "./index.ts";

const check = (response: string, document: string | null = null) =>
  checkDates(readInput({ prompt: "", response, document }));
const bridge = "Work on the bridge began in 1925. It was opened in 1937 by the mayor, Ann Lee.";

test.each([
  ["Monday, 5 March 2024", "5 March 2024 is a Tuesday, not a Monday.", "Monday, 5 March 2024"],
  ["July 4, 1776 was a Friday.", "4 July 1776 is a Thursday, not a Friday.", "July 4, 1776 was a Friday"],
  ["The party is on 30 February 2021.", "February has 28 days in 2021.", "30 February 2021"],
  ["June 31 is the deadline.", "June has 30 days.", "June 31"],
  [
    "It lasted from 1925 to 1937, a period of seven years.",
    "From 1925 to 1937 is twelve years.",
    "1925 to 1937, a period of seven years",
  ],
  [
    "There are 10 days between March 1 and March 15.",
    "From 1 March to 15 March is 14 days.",
    "10 days between March 1 and March 15",
  ],
  ["She was born in 1950 and died in 1980, aged 35.", "Who was born in 1950 was 29 or 30 in 1980.", "1980, aged 35"],
  ["Alien (1979) came before Jaws (1975).", "1979 is after 1975.", "1979) came before Jaws (1975"],
  ["1900 was a leap year.", "1900 is not a leap year.", "1900 was a leap year."],
])("%s: %s", (response, reason, span) => {
  const [found, ...others] = check(response);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ verdict: "contradicted", reason });
  expect(found && response.slice(found.range.start, found.range.end)).toBe(span);
});

test("a length of time is held against the beginning and the end that the document names", () => {
  const response = "The bridge opened in 1937 after seven years of work.";
  const [found] = check(response, bridge);
  expect(found).toMatchObject({ verdict: "contradicted", reason: "From 1925 to 1937 is twelve years." });
  expect(found?.evidence.map(({ source, text }) => [source, text])).toEqual([
    ["document", "1925"],
    ["document", "1937"],
  ]);
  expect(check("The bridge took twelve years to build.", bridge)).toMatchObject([{ verdict: "supported" }]);
});

test("an age is held against the birth that the document names", () => {
  const document = "Ada Lovelace was born on 10 December 1815 in London.";
  expect(check("She was 25 years old in 1843.", document)).toMatchObject([
    { verdict: "contradicted", reason: "Who was born in 1815 was 27 or 28 in 1843." },
  ]);
  expect(check("She was 27 years old in 1843.", document)).toMatchObject([{ verdict: "supported" }]);
});

test.each([
  "Tuesday, 5 March 2024",
  "29 February 2024",
  "03/05/1988 was a Thursday.",
  "Thursday, 4 October 1582 was the last day of the Julian calendar.",
  "He reigned from 1925 to 1937, twelve years.",
  "He reigned from 1925 to 1937, about 13 years.",
  "From 1 March to 15 March is 14 days, or 15 with both ends.",
  "He played from 2001 to 2005, scoring 12 goals in two years.",
  "She was born in 1950 and died in 1980, aged 29.",
  "Jaws (1975) came before Alien (1979).",
  "Born in 1950, he was 5 feet tall in 1960.",
  "From Monday to Friday he works 8 hours, from 9 to 5.",
  "between March 1st and April 19th: 31 days + 19 days = 50 days",
  "2024 is a leap year, and 2023 is not.",
  "The 90-minute film of 1990 won in 1991.",
])("%s: nothing is wrong", (response) => {
  expect(check(response).filter(({ verdict }) => verdict === "contradicted")).toEqual([]);
});

test.each(["It took seven years.", "After seven years he left the army.", "The road took 3 years to build."])(
  "%s: another matter than the document's is not held against it",
  (response) => {
    expect(check(response, "The tunnel was begun in 1925. It was opened in 1937.")).toEqual([]);
  },
);

describe("whatever a response says, the check ends", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      ..."Monday 5 March 31 February 2024 1925 – from to between and ( ) 2020-13-45 00/00/0000 years old aged born in days , . before leap year BC 🦊".split(
        " ",
      ),
    ),
  );
  test("with findings that lie in it", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), fc.array(piece, { maxLength: 50 }), (a, b) => {
        const [response, document] = [a.join(" "), b.join(" ")];
        for (const { range, evidence } of check(response, document)) {
          expect(range.start).toBeLessThan(range.end);
          expect(range.end).toBeLessThanOrEqual(response.length);
          for (const { source, start, end, text } of evidence) {
            expect((source === "document" ? document : response).slice(start, end)).toBe(text);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    "1925 to 1937, ",
    "5 March 2024 ",
    "May ",
    "in 1925 ",
    "aged 5 ",
    "born in 1950 ",
    "Born in 1950, aged 5 in 1955. ",
    "12 years ",
    "(1990) before ",
  ])("a megabyte of %j", { timeout: 60_000 }, (unit) => {
    const text = unit.repeat(Math.ceil(1e6 / unit.length));
    expect(check(text, text)).toBeInstanceOf(Array);
  });
});
