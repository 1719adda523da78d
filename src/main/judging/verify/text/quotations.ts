import type { Range, Text } from "../types.ts";
import { readText } from "./sentences.ts";
import { readWords, type Word, wordsOf } from "./words.ts";

const closing: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["„", "“"],
]);
const opening = /["“«„]/g;
const longest = 600;

/** What is between quotation marks, without the marks. An opening mark without its partner within 600 characters opens nothing. */
export function readQuotations(text: string): readonly Range[] {
  const found: Range[] = [];
  let next = 0;
  for (const { index, 0: mark } of text.matchAll(opening)) {
    if (index < next) continue;
    const end = findClose(text, index + 1, closing.get(mark) ?? mark);
    if (end === -1) continue;
    if (end > index + 1) found.push({ start: index + 1, end });
    next = end + 1;
  }
  return found;
}

function findClose(text: string, from: number, close: string): number {
  const most = Math.min(text.length, from + longest);
  for (let at = from; at < most; at += 1) {
    const char = text.charAt(at);
    if (char === close) return at;
    if (char === "\n" && text.charAt(at + 1) === "\n") return -1;
  }
  return -1;
}

/** Finds where quotations stand in one text, word for word, however spaces, marks and case are written. */
export interface QuoteFinder {
  /** Within a part of the text where one is given; null where the quotation doesn't stand there, or has no words. */
  find(quote: string, within?: Range): Range | null;
}

/** Of a word that is everywhere, so many places are tried. */
const mostPlaces = 200;

export function createQuoteFinder(text: Text): QuoteFinder {
  const words = wordsOf(text);
  let places: ReadonlyMap<string, readonly number[]> | undefined;

  return {
    find(quote, within = { start: 0, end: text.text.length }) {
      const wanted = readWords(readText(text.source, quote));
      places ??= indexWords(words);
      const anchor = findRarest(wanted, places);
      for (const place of (places.get(wanted[anchor]?.norm ?? "") ?? []).slice(0, mostPlaces)) {
        const from = place - anchor;
        const [first, last] = [words[from], words[from + wanted.length - 1]];
        if (!first || !last || first.start < within.start || last.end > within.end) continue;
        if (wanted.every(({ norm }, at) => words[from + at]?.norm === norm))
          return { start: first.start, end: last.end };
      }
      return null;
    },
  };
}

function indexWords(words: readonly Word[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  words.forEach(({ norm }, at) => {
    const known = places.get(norm);
    if (known === undefined) places.set(norm, [at]);
    else known.push(at);
  });
  return places;
}

function findRarest(wanted: readonly Word[], places: ReadonlyMap<string, readonly number[]>): number {
  let rarest = 0;
  let fewest = Number.POSITIVE_INFINITY;
  wanted.forEach(({ norm }, at) => {
    const count = places.get(norm)?.length ?? 0;
    if (count < fewest) [rarest, fewest] = [at, count];
  });
  return rarest;
}
