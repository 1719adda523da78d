import { remember } from "../../../remember.ts";
import type { NumberMention } from "../../../text/index.ts";
import { isYear } from "../numbers.ts";
import type { Passage } from "../passage.ts";

/** What two numbers of a passage make together, or what lies between them. */
export interface Difference {
  readonly value: number;
  /** In years where the two are years or centuries; null for prices, counts and the like. */
  readonly span: "years" | null;
}

/** Of more numbers, no pairs are made. */
const mostNumbers = 60;
/** Small numbers differ by other small numbers too often to tell anything. */
const leastSum = 100;
const tropicalYear = 365.2425 * 86_400;

/** The sums and differences of larger numbers, and the years between two years or centuries. */
export const differencesOf = remember(({ text: { text }, numbers }: Passage): readonly Difference[] => {
  if (numbers.length > mostNumbers) return [];
  const years = [...numbers.filter(isYear).map(({ value }) => value), ...readCenturies(text, numbers)];
  const spans = new Set(years.flatMap((a) => years.map((b) => a - b)).filter((gap) => gap > 0));
  const others = numbers.filter((number) => !isYear(number) && number.kind === "cardinal" && !number.isPercent);
  const sums = new Set(
    others.flatMap((a) => others.flatMap((b) => (a === b ? [] : [a.value + b.value, a.value - b.value]))),
  );
  const shares = numbers.filter(({ kind, isPercent }) => kind === "fraction" || isPercent);
  for (const { value, isPercent } of shares) {
    const share = isPercent ? value / 100 : value;
    for (const other of others) {
      for (const factor of [share, 1 - share, 1 + share]) {
        sums.add(round(other.value * factor));
        // What it was before it changed by so much.
        if (factor > 0) sums.add(round(other.value / factor));
      }
    }
  }
  return [
    ...[...spans].map((value) => ({ value, span: "years" as const })),
    ...[...sums].filter((value) => value >= leastSum).map((value) => ({ value, span: null })),
  ];
});

function readCenturies(text: string, numbers: readonly NumberMention[]): readonly number[] {
  return numbers
    .filter(({ kind, end }) => kind === "ordinal" && /^[^.]{0,20}centur/.test(text.slice(end, end + 30)))
    .map(({ value }) => value * 100 - 50);
}

const asksToCompute =
  "if each per evenly average total altogether left remain remaining together cost costs pay pays".split(" ");
/** Of more numbers, no sums are worked out. */
const mostComputed = 40;
const precision = 1e6;

/** What follows from two numbers of a passage by the four operations, where a question asks for it ("What does each pay, if …"). */
export function readComputed(asked: ReadonlySet<string>, numbers: readonly NumberMention[]): ReadonlySet<number> {
  if (numbers.length > mostComputed || !asksToCompute.some((word) => asked.has(`=${word}`))) return new Set();
  const values = numbers.filter((number) => !isYear(number)).flatMap(readValues);
  const results = values.flatMap((a) => values.flatMap((b) => [a + b, a - b, a * b, b === 0 ? 0 : a / b]));
  return new Set(results.map(round));
}

/** Ten cents are 0.10, and 20% also a fifth. */
function readValues({ value, unit, isPercent }: NumberMention): readonly number[] {
  if (unit?.unit.dimension === "money") return [value, value * unit.unit.factor];
  return isPercent ? [value, value / 100, 1 - value / 100, 1 + value / 100] : [value];
}

export function round(value: number): number {
  return Math.round(value * precision) / precision;
}

const sums =
  "total|altogether|together|combined|sum|overall|more|less|fewer|than|difference|apart|discount|reduced|lowered|raised|increased|decreased|before|after|left|remain\\w*|rest|net|gross|originally|change|if|would";
const askingForSums = new RegExp(`^(${sums}|save|each|price|fare|costs?|pays?|afford|needs?|much)$`);
const sayingSums = new RegExp(
  `\\b(${sums}|in all|plus|minus|and|off|rose|fell|down|up|instead|save[ds]?|saving|so|hence|means?|comes?|makes?)\\b|[+−=-]`,
  "i",
);

/** Whether a question asks for what numbers come to. */
export function asksForSum(asked: ReadonlySet<string>): boolean {
  return [...asked].some((word) => word.startsWith("=") && askingForSums.test(word.slice(1)));
}

/** Whether a response speaks of what numbers come to. A bare number is what the text has, or is made up. */
export function speaksOfSum(text: string, { start, end }: NumberMention): boolean {
  return sayingSums.test(text.slice(Math.max(0, start - 80), start)) || sayingSums.test(text.slice(end, end + 60));
}

/** Whether a number is one of the differences of a passage: a sum as it is; a span of time in rounded years, decades or centuries, and in months or days, which the years don't tell exactly. */
export function isDifference(said: NumberMention, passage: Passage): boolean {
  const { value, unit, kind } = said;
  if (kind !== "cardinal" || isYear(said)) return false;
  if (unit?.unit.dimension !== "time")
    return value >= leastSum && differencesOf(passage).some((other) => other.span === null && other.value === value);
  const differences = differencesOf(passage);
  if (unit.unit.factor < tropicalYear / 2) {
    const length = (value * unit.unit.factor) / tropicalYear;
    return differences.some((other) => other.span !== null && Math.abs(other.value - length) < 1);
  }
  const perYear = unit.unit.factor / tropicalYear;
  return differences.some((other) => {
    if (other.span === null) return false;
    const length = other.value / perYear;
    return Math.floor(length) === value || Math.round(length) === value || Math.abs(length - value) <= value * 0.05;
  });
}
