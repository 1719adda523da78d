import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNumbers, isDouble, isJsonNumber, isSameNumber, normalizeNumber, readNumber } from "./decimals.ts";

/** A decimal as an integer of 10^-60, and some ways to write it. */
const decimals = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 53n + 1n),
    ),
    power: fc.integer({ min: -30, max: 30 }),
    zeros: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ digits, power, zeros }) => ({
    value: digits * 10n ** BigInt(power + 60),
    text: `${digits}${"0".repeat(zeros)}e${power - zeros}`,
  }));

test("numbers compare as decimals, to the last digit and however they are written", () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      const order = one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
      expect(Math.sign(compareNumbers(one.text, other.text))).toBe(order);
      expect(normalizeNumber(one.text) === normalizeNumber(other.text)).toBe(order === 0);
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (one, other) => {
      expect(compareNumbers(one, other)).toBe(one < other ? -1 : one > other ? 1 : 0);
      if (Number.isFinite(one)) expect(isSameNumber(String(one), one)).toBe(true);
    }),
  );
});

test.each([
  ["1.10", "1.1", true],
  ["11e-1", 1.1, true],
  ["-0", 0, true],
  ["0e5", "0.000", true],
  ["9007199254740993", "9007199254740992", false],
  ["9007199254740993", 2 ** 53, false],
  ["0.10000000000000001", 0.1, false],
  ["1e400", "1e401", false],
  ["1e400", "10e399", true],
  ["1e-400", 0, false],
  ["-5", "5", false],
])("%s and %s are the same number: %s", (one, other, isSame) => {
  expect(isSameNumber(one, other)).toBe(isSame);
  expect(isSameNumber(other, one)).toBe(isSame);
});

test("a text is a number only as a whole, and a double only where that has room for it", () => {
  const numbers = ["5", " +5 ", ".5", "5.", "1.50", "1e3", "9007199254740993", "1e400"].map(readNumber);
  expect(numbers).toEqual([5, 5, 0.5, 5, 1.5, 1000, "9007199254740993", "1e400"]);
  const others = ["", " ", "-", ".", "1 2", "0x10", "5 km", "1_000", "Infinity", "1e", "1,5"];
  expect(others.map(readNumber)).toEqual(others.map(() => null));
  expect(readNumber(`${"1".repeat(200_000)}x`)).toBeNull();
  expect(compareNumbers(Number.NaN, 5)).toBeNaN();
  expect(["0.1", "1.50", "1e400", "9007199254740993"].map(isDouble)).toEqual([true, true, false, false]);
  expect(["0", "-1.50e+3", "007", "+1", "1.", ""].map(isJsonNumber)).toEqual([true, true, false, false, false, false]);
});
