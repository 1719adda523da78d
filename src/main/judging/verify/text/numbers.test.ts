import fc from "fast-check";
import { expect, test } from "vitest";
import { measureGrowth } from "../../../service/testing/measure-growth.ts";
import { type NumberMention, readNumbers } from "./numbers.ts";

const show = (text: string) => readNumbers(text).map((number) => [text.slice(number.start, number.end), number.value]);
const one = (text: string): NumberMention => {
  const [number, ...others] = readNumbers(text);
  if (number === undefined || others.length > 0) throw new Error(`${others.length + 1} numbers in ${text}`);
  return number;
};

test.each([
  ["1,234.5", 1234.5],
  ["1,000,000", 1_000_000],
  ["1,00,000", 100_000],
  ["1 234", 1234],
  ["12\u202f000", 12_000],
  ["1.234,5", 1234.5],
  ["1.234.567", 1_234_567],
  [".5", 0.5],
  ["1e-3", 0.001],
  ["6.02 × 10^23", 6.02e23],
  ["6×10⁵", 600_000],
  ["-3", -3],
  ["−4", -4],
  ["1/2", 0.5],
  ["½", 0.5],
  ["3½", 3.5],
  ["3 1/2", 3.5],
  ["1.5 million", 1_500_000],
  ["$3bn", 3_000_000_000],
  ["$14.6m", 14_600_000],
  ["⅖", 0.4],
  ["5 and a half", 5.5],
  ["minus 25", -25],
  ["5k", 5_000],
  ["2 dozen", 24],
])("%j in digits is %d", (text, value) => {
  expect(show(`It is ${text} here.`)).toEqual([[text, value]]);
});

test.each([
  ["twenty-one", 21],
  ["one hundred and five", 105],
  ["two thousand five hundred", 2_500],
  ["a hundred", 100],
  ["a dozen", 12],
  ["two dozen", 24],
  ["half a million", 500_000],
  ["two and a half", 2.5],
  ["three quarters", 0.75],
  ["two-thirds", 2 / 3],
  ["half", 0.5],
  ["twenty-first", 21],
])("%j in words is %d", (text, value) => {
  expect(show(`It is ${text} here.`)).toEqual([[text, value]]);
});

test("what belongs to a number is known: percent, currency, unit, ordinal, digits shown", () => {
  expect(one("20%")).toMatchObject({ value: 20, isPercent: true });
  expect(one("2.5 per cent")).toMatchObject({ value: 2.5, isPercent: true, step: 0.1 });
  expect(one("-$1.5 million")).toMatchObject({ value: -1_500_000, currency: "USD", step: 100_000 });
  expect(one("12,50 €")).toMatchObject({ value: 12.5, currency: "EUR" });
  expect(one("EUR 4,500")).toMatchObject({ value: 4_500, currency: "EUR" });
  expect(one("4.500 EUR")).toMatchObject({ value: 4_500, step: 1, currency: "EUR" });
  expect(one("about 4.500 metres")).toMatchObject({ value: 4.5, currency: null });
  expect(one("3 km")).toMatchObject({ value: 3, unit: { end: 4, unit: { name: "km" } } });
  expect(one("a seven-year war")).toMatchObject({ value: 7, unit: { unit: { name: "yr" } } });
  expect(one("the 3rd")).toMatchObject({ value: 3, kind: "ordinal" });
});

test("a comma is a decimal one where the text writes no decimal point", () => {
  expect(show("1,5 l and 12 cups")).toEqual([
    ["1,5", 1.5],
    ["12", 12],
  ]);
  expect(show("1,5 l, not 1.7 l").map(([, value]) => value)).toEqual([1.5, 1.7]);
  expect(show("pages 1,2,3").map(([, value]) => value)).toEqual([1, 2, 3]);
});

test.each<[text: string, language: string | null, value: number, other: number | null]>([
  ["5.000 mAh", null, 5, 5_000],
  ["5.000 mAh", "en", 5, 5_000],
  ["5.000 mAh", "de", 5_000, null],
  ["5.000 mAh, 1,5 A", "de", 5_000, null],
  ["5.000 mAh, 1.5 A", "en", 5, null],
  ["5.000 mAh, 10.30 Uhr", "de", 5, 5_000],
  ["5,000 mAh", "en", 5_000, null],
  ["5,000 kg", "fr", 5, 5_000],
  ["1.234.567 km", "de", 1_234_567, null],
  ["1'234'567 m", "de", 1_234_567, null],
  ["1’250 m", null, 1_250, null],
  ["1 234,5 m", "fr", 1_234.5, null],
  ["1.234,5 m", null, 1_234.5, null],
  ["1,234.5 m", null, 1_234.5, null],
  ["3, 000 seats", "en", 3_000, null],
  ["12, 034, 000 seats", "en", 12_034_000, null],
  ["0.125 l", "en", 0.125, null],
  ["0,125 l", "de", 0.125, null],
  ["2,75 l", "de", 2.75, null],
  ["2.750 €", "en", 2_750, null],
])("groups of digits are one number, by language and habit: %j in %s is %d", (text, language, value, other) => {
  expect(readNumbers(text, language)[0]).toMatchObject({ value, other });
});

test("a quarter is a fourth of something, and none of a year", () => {
  expect(show("a quarter of them, three quarters, a quarter mile").map(([, value]) => value)).toEqual([
    0.25, 0.75, 0.25,
  ]);
  expect(show("in the third quarter of 2023, and in the quarter before").map(([, value]) => value)).toEqual([3, 2023]);
  expect(show("a third party, a third of them").map(([, value]) => value)).toEqual([3, 1 / 3]);
});

test("digits in names and codes are no numbers", () => {
  expect(show("B12, x2, v1.2.3, 192.168.0.1, 2:30, 2020-01-02, 555-123-4567 and 03/05/1988")).toEqual([]);
});

test("neighbours stay apart", () => {
  expect(show("16-3-4=9").map(([, value]) => value)).toEqual([16, 3, 4, 9]);
  expect(show("three and five").map(([, value]) => value)).toEqual([3, 5]);
  expect(show("1, 2 and 3").map(([, value]) => value)).toEqual([1, 2, 3]);
});

test("mentions are in order, apart, and where they say, for any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(..."1 , . - / ½ % $ 000 e10 and a half hundred dozen twenty- ^ × 10 ⁵ km €".split(" ")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      let end = 0;
      for (const number of readNumbers(text)) {
        expect(number.start).toBeGreaterThanOrEqual(end);
        expect(number.end).toBeGreaterThan(number.start);
        expect(Number.isFinite(number.value)).toBe(true);
        end = number.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 200 },
  );
});

test.each(["9", "1,234", "1-", "1 ", "1/2 ", "one ", "one hundred and ", "0.", "0:", "½", "🦊", "مرحبا "])(
  "a text full of %j is read in a time that grows with its length alone",
  (piece) => {
    const growth = measureGrowth((size) => readNumbers(piece.repeat(size / piece.length)), 8_000);
    expect(growth).toBeLessThan(11);
  },
);
