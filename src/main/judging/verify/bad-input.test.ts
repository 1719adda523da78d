import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TextSpan, VerifyInput } from "#contract";
import { verifyResultSchema } from "#contract";
import { measureGrowth } from "../../service/testing/measure-growth.ts";
import { judgeByRules } from "./rules-judge.ts";

/** Pieces of text that checks look for, in orders that no one writes. */
const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    ..."( ) [ ] { } < > \" ' “ ” ` ``` ~~~ \n \r\n \u0000 \ud800 \udc00 \u202e 🦊 👩‍👩‍👧 مرحبا שלום 漢字 Ⅷ ½ ٣ = == ≠ ≈ + - − × ÷ * / ^ % $ € , . ; : ? ! ... 1e309 -0 0.1 1,000 1,00,0 1/0 007 9007199254740993 NaN Infinity 3rd twenty-one hundred million".split(
      " ",
    ),
    ...'Answer in French.|in at most 5 words|Return JSON|{"a": 1}|one of: a, b or c|yes or no|List three things:|- item|1. item|Passage:|Question:|Quote the passage.|the word "x"|Monday, 31 February 2023|12/31/1999|3 hours and 61 minutes|from 1990 to 1980|Paris|the President of France|is not|was born in|not|because|<<2+2=5>>|\\frac{1}{0}|2 + 2 = 5|therefore the answer is 7|#### 42|$3.50|50% of 20 is 11'.split(
      "|",
    ),
  ),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" "));
const input = fc.record({ prompt: text, response: text, document: fc.option(text), strict: fc.boolean() });

/** What holds for every result, whatever was verified. */
function expectSound(given: VerifyInput): void {
  const result = judgeByRules(given);
  expect(verifyResultSchema.parse(result)).toEqual(result);
  expect(result.explanation).not.toBe("");
  const verdicts = new Set(result.claims.map(({ verdict }) => verdict));
  expect(result.is_hallucination).toBe(verdicts.has("contradicted") || (given.strict && verdicts.has("not_found")));
  const texts = { prompt: given.prompt, response: given.response, document: given.document ?? "" };
  const expectSpan = ({ source, start, end, text: shown }: TextSpan) => {
    expect(shown).toBe(texts[source].slice(start, end));
    expect(end).toBeLessThanOrEqual(texts[source].length);
  };
  for (const { span, findings } of result.claims) {
    expectSpan(span);
    for (const finding of findings) {
      expect(finding.span.source).toBe("response");
      expect(finding.reason).not.toBe("");
      for (const part of [finding.span, ...finding.evidence]) expectSpan(part);
    }
  }
}

test("every result is whole, and every span is where it says, for any texts", () => {
  fc.assert(fc.property(input, expectSound), { numRuns: 400 });
});

test("the same texts come to the same result", () => {
  fc.assert(
    fc.property(input, (given) => {
      expect(judgeByRules(given)).toEqual(judgeByRules(given));
    }),
    { numRuns: 50 },
  );
});

/** About as large as the part of a response that is checked. */
const large = 40_000;

function fill(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

/** What could cost a careless reader the square of its length, or the stack. */
const heavy: readonly [name: string, unit: string][] = [
  ["one letter", "a"],
  ["one capital", "A"],
  ["names", "Ada Lovelace of London "],
  ["sentences", "It was written by Ada in May 1843. "],
  ["digits", "9"],
  ["digits with commas", "1,"],
  ["numbers", "12 "],
  ["dots", "1."],
  ["equations", "2 + 2 = 5, "],
  ["a sum without an end", "1+"],
  ["equals signs", "1 = "],
  ["minus signs", "-"],
  ["open brackets", "("],
  ["brackets and numbers", "(1+"],
  ["closed brackets", ")"],
  ["open braces", "{"],
  ["open lists", "["],
  ["objects", '{"a":'],
  ["quotation marks", '"'],
  ["unbalanced quotation marks", '" a '],
  ["typographic quotation marks", "“"],
  ["powers", "9^"],
  ["LaTeX", "\\frac{"],
  ["code fences", "```\n"],
  ["tags", "<a>"],
  ["emojis", "🦊"],
  ["right-to-left text", "שלום עולם، مرحبا. "],
  ["lone surrogates", "\ud83e "],
  ["NUL", "\u0000"],
  ["spaces", " "],
  ["lines", "\n"],
  ["spaces and lines", " \n"],
  ["tabs and a word", "\t\t\t\tword"],
  ["list marks", "- a\n"],
  ["dates", "12 May 1843, "],
  ["durations", "3 days and 4 hours, "],
  ["number words", "twenty-one hundred "],
  ["negations", "not "],
  ["hyphens in words", "a-"],
  ["apostrophes", "'a"],
  ["instructions", "Answer in one word. "],
];

describe.each(heavy)("a great deal of %s", (_name, unit) => {
  const prompt = "How many were there? Answer in at most 9 words, as JSON.";

  test("is judged soundly", () => {
    const text = fill(unit, large / 8);
    expectSound({ prompt: text, response: text, document: text, strict: false });
  });

  test("takes a time that grows with its length alone", () => {
    let runs = 0;
    const growth = measureGrowth((size) => {
      const text = fill(unit, size);
      // Another document each time: one that was read before is not read again.
      runs += 1;
      judgeByRules({ prompt, response: text, document: `${text} ${runs}`, strict: false });
    }, 3_000);
    expect(growth).toBeLessThan(11);
  });
});

test("of a sentence full of numbers two hundred are looked up, and its claim says so", () => {
  const numbers = (from: number) => Array.from({ length: 9_000 }, (_, at) => from + 3 * at).join(" ");
  const input = {
    prompt: "",
    response: `It has ${numbers(10_000)}`,
    document: `It has ${numbers(4_000_000)}`,
    strict: false,
  };
  const [claim, ...others] = judgeByRules(input).claims;
  expect(others).toEqual([]);
  expect(claim?.findings.map(({ reason }) => reason).slice(-1)).toEqual([
    "151 more findings are not listed: 0 contradicted, 150 not in the document, 0 supported.",
  ]);
});

test("a claim lists its first fifty findings and says how many more there are", () => {
  const { claims } = judgeByRules({ prompt: "", response: "1 + 1 = 3, ".repeat(3_000), document: null, strict: false });
  expect(claims).toHaveLength(1);
  expect(claims[0]?.findings).toHaveLength(51);
  expect(claims[0]?.findings.at(-1)?.reason).toMatch(/^2,950 more findings are not listed: 2,950 contradicted/);
});

test("of a response of a megabyte no more is checked than its first part", () => {
  expectSound({ prompt: "", response: fill("Ada wrote 12 letters. ", 25 * large), document: null, strict: false });
});
