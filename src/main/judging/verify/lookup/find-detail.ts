import { isSameWhen, type When } from "../text/dates.ts";
import { isSameMeasure, measureOf, type NumberMention } from "../text/numbers.ts";
import { firstFrom, keysOfWhen, type Passages, valuesOf } from "./index-passages.ts";
import type { Detail } from "./read-statements.ts";

/** What the prompt says itself, and what the response has computed: no one is accused of repeating it. */
export interface Asked {
  readonly prompt: Passages;
  /** The values of equations that come out. */
  readonly computed: ReadonlySet<number>;
}

/** In which passages a detail is; `asked` where it is in the prompt alone, `missing` where in neither. */
export type DetailLocation = readonly number[] | "asked" | "missing";

/** Looks a detail up in the passages, and where they don't have it, in the prompt. */
export function findDetail(passages: Passages, asked: Asked, detail: Detail, text: string): DetailLocation {
  const found = findIn(passages, detail, text);
  if (found.length > 0) return found;
  const isComputed = detail.kind === "number" && valuesOf(detail.mention).some((value) => asked.computed.has(value));
  return isComputed || findIn(asked.prompt, detail, text).length > 0 ? "asked" : "missing";
}

function findIn(passages: Passages, detail: Detail, text: string): readonly number[] {
  switch (detail.kind) {
    case "number":
      return findNumber(passages, detail.mention);
    case "date":
      return findWhen(passages, detail.mention);
    case "quotation":
      return findQuotation(passages, text.slice(detail.start, detail.end));
  }
}

/** A number, a date or a time. */
export type Value = NumberMention | When;

export function isWhen(value: Value): value is When {
  return value.kind === "date" || value.kind === "time";
}

/** Whether a number is worth a look-up: "one" and ordinals in words say too little. */
export function saysSomething(mention: NumberMention): boolean {
  if (!mention.isWord) return true;
  return mention.kind !== "ordinal" && (mention.value !== 1 || measureOf(mention) !== null);
}

/** Whether a text that has one value has the other one, as details are looked up: "$14.6m" is "$14.6 million". */
export function isSameValue(said: Value, there: Value, scales: ReadonlySet<number>): boolean {
  if (isWhen(said) && isWhen(there)) return isSameWhen(said, there);
  // "2024" may count nothing, and be a year.
  if (isWhen(there))
    return !isWhen(said) && measureOf(said) === null && keysOfWhen(there).includes(`year ${said.value}`);
  if (isWhen(said)) return measureOf(there) === null && keysOfWhen(said).join() === `year ${there.value}`;
  const values = valuesOf(there);
  return valuesOf(said).some((value) => values.includes(value)) && isSameNumber(said, there, scales);
}

function findNumber({ numbers, whens, scales }: Passages, said: NumberMention): readonly number[] {
  const found = valuesOf(said).flatMap((value) => numbers.get(value) ?? []);
  const same = found.filter(({ mention }) => isSameNumber(said, mention, scales)).map(({ passage }) => passage);
  if (same.length > 0 || measureOf(said) !== null) return same;
  return (whens.get(`year ${said.value}`) ?? []).map(({ passage }) => passage);
}

/**
 * Whether two numbers that are found by the same value are the same: they measure the same, or one doesn't say what it
 * measures. "14 thousand" is also the 14 of a source that says that it counts thousands.
 */
function isSameNumber(said: NumberMention, there: NumberMention, scales: ReadonlySet<number>): boolean {
  if (!isSameMeasure(said, there)) return false;
  return said.scale === there.scale || said.value === there.value || (there.scale === 1 && scales.has(said.scale));
}

/** A day that the source gives without its year is found where it has that year elsewhere. */
function findWhen({ whens, numbers }: Passages, said: When): readonly number[] {
  const keys = keysOfWhen(said);
  // The last of them says most: a day, else a month, else a year.
  const [most = ""] = keys.at(-1)?.split(" ") ?? [];
  const candidates = keys.filter((key) => key.startsWith(most)).flatMap((key) => whens.get(key) ?? []);
  const same = candidates.filter(({ mention }) => isSameWhen(said, mention));
  if (same.length > 0 || said.kind === "time" || said.year === null) return same.map(({ passage }) => passage);
  const years = [...(whens.get(`year ${said.year}`) ?? []), ...(numbers.get(said.year) ?? [])];
  if (said.month === null || years.length === 0) return years.map(({ passage }) => passage);
  return candidates
    .filter(({ mention }) => mention.kind === "date" && mention.year === null)
    .filter(({ mention }) => isSameWhen({ ...said, year: null }, mention))
    .map(({ passage }) => passage);
}

/** Each part of a quotation with omissions has to stand there. */
function findQuotation({ all, quotes }: Passages, quotation: string): readonly number[] {
  const parts = quotation.split(/…|\.\.\.|\[[^\]]{0,80}\]/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const ranges = parts.map((part) => quotes.find(part));
  const [first] = ranges;
  if (!first || ranges.some((range) => range === null)) return [];
  const at = firstFrom(all, first.start + 1) - 1;
  return (all[at]?.end ?? 0) > first.start ? [at] : [];
}

/** What all lists have. */
export function intersect(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists;
  const sets = others.map((list) => new Set(list));
  return first.filter((one) => sets.every((set) => set.has(one)));
}
