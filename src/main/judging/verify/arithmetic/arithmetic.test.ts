import fc from "fast-check";
import { evaluate as evaluateByMathjs, unit } from "mathjs";
import { describe, expect, test } from "vitest";
import { measureGrowth } from "../../../service/testing/measure-growth.ts";
import { rightAnswers, rightLines, wrongAnswers, wrongLines } from "../../testing/arithmetic-lines.ts";
import { readInput } from "../read-input.ts";
import { convert, findUnit } from "../text/units.ts";
import type { Finding } from "../types.ts";
import { checkArithmetic } from "./check-arithmetic.ts";
import { evaluate } from "./expression.ts";
import { readExpression } from "./parse.ts";
import { tokenize } from "./tokenize.ts";

const check = (response: string) => checkArithmetic(readInput({ prompt: "", response, document: null, strict: false }));
const contradictions = (response: string) => check(response).filter(({ verdict }) => verdict === "contradicted");
const at = (text: string, { range }: Finding) => text.slice(range.start, range.end);

test.each([...rightLines, ...rightAnswers])("%s: nothing is wrong", (line) => {
  expect(contradictions(line).map(({ reason }) => reason)).toEqual([]);
});

test.each([...wrongLines, ...wrongAnswers])("%s: the mistake is found", (line) => {
  expect(contradictions(line)).not.toEqual([]);
});

test.each([
  ["Janet sells 16 - 3 - 4 = 10 duck eggs.", "16 - 3 - 4 = 10", "16 − 3 − 4 is 9, not 10.", "10"],
  ["Janet sells 16 - 3 - 4 = <<16-3-4=9>>10 eggs.", "16 - 3 - 4 = <<16-3-4=9>>10", "16 − 3 − 4 is 9, not 10.", "10"],
  ["She makes 9 * 2 = $19.50 a day.", "9 * 2 = $19.50", "9 × 2 is $18, not $19.50.", "$19.50"],
  ["He paid 80,000*1.5=130,000 then.", "80,000*1.5=130,000", "80,000 × 1.5 is 120,000, not 130,000.", "130,000"],
  ["So 2+2=4*3=13 it is.", "2+2=4*3=13", "4 × 3 is 12, not 13.", "13"],
  ["We get 45/60 = 70% of it.", "45/60 = 70%", "45 ÷ 60 is 75%, not 70%.", "70%"],
  ["In all, five plus three is nine.", "five plus three is nine", "five + three is 8, not nine.", "nine"],
])("%s: the claim is the equation, the evidence the wrong number", (response, span, reason, wrong) => {
  const [found, ...others] = contradictions(response);
  expect(others).toEqual([]);
  expect(found && at(response, found)).toBe(span);
  expect(found?.reason).toBe(reason);
  expect(found?.evidence.map(({ source, text }) => [source, text])).toEqual([["response", wrong]]);
});

test("an equation that holds is supported", () => {
  const [found, ...others] = check("Natalia sold 48/2 = 24 clips in May.");
  expect(others).toEqual([]);
  expect(found).toMatchObject({ verdict: "supported", reason: "48 ÷ 2 is 24." });
});

test("an annotation must hold in itself and give the number after it", () => {
  const inner = "It takes 2/2=<<2/2=3>>1 bolt.";
  expect(contradictions(inner).map((found) => at(inner, found))).toEqual(["2/2=<<2/2=3>>1"]);
  const shown = "which is <<40/5=8>>13 in all";
  expect(contradictions(shown).map((found) => at(shown, found))).toEqual(["<<40/5=8>>13"]);
});

test("results before it may be carried on rounded", () => {
  expect(contradictions("10 / 6 = 1.67 and 1.67 × 6 = 10. Also 33.33 * 3 = 100.")).toEqual([]);
});

test("equations in an unknown are held against the value that the response comes to", () => {
  const right = "We get 2x + 60 = 100.\n2x = 40\nx = 20";
  expect(contradictions(right)).toEqual([]);
  const wrong = right.replace("100", "101");
  const [found, ...others] = contradictions(wrong);
  expect(others).toEqual([]);
  expect(found && at(wrong, found)).toBe("2x + 60 = 101");
  expect(found?.reason).toBe("With x = 20, 2x + 60 is 100, not 101.");
});

test.each([
  "x^2 - 5x + 6 = 0, so x = 3 or x = 2.",
  "f(x) = x + 1, and x = 3. y = 2x, with y = 8 and x = 4.",
  "n = 5 * (n - 1) = 20",
  "3 1/2 * B + 4 1/2 * B = 8B = 64, so B = 8.",
  "The cost + 3x = 14. x = 3",
  "In code, x = x + 1, i = 0 and i = i + 1.",
])("%s: nothing is known for certain of the unknown", (text) => {
  expect(contradictions(text)).toEqual([]);
});

test("conversions and totals of lists are not judged", () => {
  expect(contradictions("She bought 9 eggs at $2 each and 3 pies at $4 each for a total of $30.")).toEqual([]);
  expect(contradictions("Price: $3\nQuantity: 4\nTotal: $18. It is 3 km = 300 m away.")).toEqual([]);
});

test("values of whole expressions are those of mathjs", () => {
  const number = fc.integer({ min: 0, max: 999 }).map(String);
  const { expression } = fc.letrec<{ expression: string; group: string }>((tie) => ({
    group: fc.oneof(
      { depthSize: "small" },
      number,
      tie("expression").map((inner) => `(${inner})`),
    ),
    expression: fc
      .tuple(
        tie("group"),
        fc.array(fc.tuple(fc.constantFrom(" + ", " - ", " * ", " / "), tie("group")), { maxLength: 5 }),
      )
      .map(([first, rest]) => first + rest.flat().join("")),
  }));
  fc.assert(
    fc.property(expression, (text) => {
      const run = readExpression(tokenize(text, 0, text.length), 0);
      const [ours, theirs] = [run ? evaluate(run.expression, "hundredths") : null, Number(evaluateByMathjs(text))];
      if (Number.isFinite(theirs)) expect(ours).toBeCloseTo(theirs, 6);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["mile", "m"],
  ["inch", "cm"],
  ["acre", "hectare"],
  ["pound", "kg"],
  ["ounce", "gram"],
  ["gallon", "liter"],
  ["cup", "quart"],
  ["teaspoon", "tablespoon"],
  ["week", "hour"],
  ["fahrenheit", "celsius"],
])("a %s is as many %s as mathjs says", (from, to) => {
  const [a, b] = [findUnit(from), findUnit(to)];
  const names: Readonly<Record<string, string>> = { fahrenheit: "degF", celsius: "degC", pound: "lbm" };
  const theirs = unit(50, names[from] ?? from).toNumber(names[to] ?? to);
  // mathjs takes the cup and its parts in rounded numbers.
  const tolerance = from === "cup" || from === "teaspoon" ? 0.01 : 1e-5;
  expect(Math.abs((a && b ? (convert(50, a, b) ?? 0) : 0) / theirs - 1)).toBeLessThan(tolerance);
});

describe("whatever a response says, the check ends", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      ..."1 2.5 1,000 0 ( ) [ { } = == ≈ + - − × x ÷ / ^ ** % $ of is plus times half twice << >> <<1+1=3>> \\frac \\sqrt { } \\times | : , . total: \n 🦊 مرحبا km hours 9e999 0/0".split(
        " ",
      ),
    ),
  );
  test("with findings that lie in it", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom("", " "), (pieces, joint) => {
        const text = pieces.join(joint);
        for (const { range, reason, evidence } of check(text)) {
          expect(range.start).toBeLessThan(range.end);
          expect(range.end).toBeLessThanOrEqual(text.length);
          expect(reason).not.toBe("");
          for (const { start, end, text: shown } of evidence) expect(text.slice(start, end)).toBe(shown);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    "9",
    "(",
    "((1+",
    "=",
    "1=",
    "1+",
    "1+1=",
    "2^",
    "x",
    "1 x ",
    "🦊",
    "שלום ",
    "<<",
    "<<1",
    "\\frac{",
    "√",
    "-",
    "--1",
    "half of ",
    "1 of ",
    "1/",
    "$",
    "a: 1, ",
    "total: 1, ",
    "5 apples and words ",
    "x = 1 ",
    "x=1\n((2x ",
    "<<5>>5 ",
    "<<1+1=3>>4 ",
    "the sum of 1 and ",
  ])("in a time that grows with its length alone, full of %j", (unitOfText) => {
    const growth = measureGrowth((size) => check(unitOfText.repeat(size / unitOfText.length)), 4_000);
    expect(growth).toBeLessThan(11);
  });
});
