import type { Range } from "../types.ts";

/** Finds quotations in one text, word for word but for spaces and the shape of quotation marks. */
export interface QuoteFinder {
  /** Where the quotation stands first, from a place on and before another; null when it does not stand there. */
  find(quote: string, within?: Range): Range | null;
}

const typographic: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "\u00a0": " ",
};

export function createQuoteFinder(text: string): QuoteFinder {
  let plain: Plain | undefined;

  return {
    find(quote, within = { start: 0, end: text.length }) {
      if (quote.trim() === "") return null;
      const exact = text.indexOf(quote, within.start);
      if (exact !== -1 && exact + quote.length <= within.end) return { start: exact, end: exact + quote.length };
      plain ??= toPlain(text);
      return findPlain(plain, toPlain(quote.trim()).text, within);
    },
  };
}

/** A text with single spaces and plain quotation marks, and where each of its units stands in the original. */
interface Plain {
  readonly text: string;
  readonly places: Uint32Array;
}

function toPlain(text: string): Plain {
  const places = new Uint32Array(text.length);
  const units: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    const plain = /\s/.test(unit) ? " " : (typographic[unit] ?? unit);
    if (plain === " " && units.at(-1) === " ") continue;
    places[units.length] = at;
    units.push(plain);
  }
  return { text: units.join(""), places };
}

function findPlain({ text, places }: Plain, quote: string, within: Range): Range | null {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    const start = places[at] ?? 0;
    const end = (places[at + quote.length - 1] ?? 0) + 1;
    if (end > within.end) return null;
    if (start >= within.start) return { start, end };
  }
  return null;
}
