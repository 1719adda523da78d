import { differs, isSameWhen, type When } from "../text/dates.ts";
import { baseOf, endOfMeasure, isSameMeasure, measureOf, type NumberMention } from "../text/numbers.ts";
import { isRange } from "../text/ranges.ts";
import { isNameInside, type Word } from "../text/words.ts";
import type { Finding, Range, Text } from "../types.ts";
import { deriveValue, isWorkedOut, type Shown } from "./derive-value.ts";
import type { BestPassage } from "./find-passage.ts";
import type { Passage } from "./index-passages.ts";
import { type Lookup, leastShared, type Placed, spanOf, toFinding } from "./lookup.ts";
import { type Detail, describeUnread, keysOf, nounsAfter, type Statement } from "./read-statements.ts";

/** What is known of the statement that a missing detail is part of. */
export interface About {
  readonly statement: Statement;
  readonly best: BestPassage | null;
  readonly placed: readonly Placed[];
  /** Numbers that are somewhere, of the statement and of the one before it. */
  readonly known: readonly Shown[];
}

type NumberDetail = Extract<Detail, { kind: "number" }>;
type DateDetail = Extract<Detail, { kind: "date" }>;

/** A passage with more numbers has no value that is the only one of its class. */
const mostCompared = 40;
const fewestShared = 2;
/** What a statement about something else may begin with. */
const pronoun = /^\W*(?:it|they|this|that|these|those|he|she|there|we|you|i)\b/i;
/** How much of a statement is read around a number. */
const window = 160;
/** Most numbers that one is derived from. */
const mostKnown = 400;

/**
 * Judges details of one statement that are nowhere: worked out from others, contradicted by the only value of the same
 * class in the passage that is about the same, or not in the document. Null where nothing can be said.
 */
export function createMissingJudge(lookup: Lookup, { statement, best, placed, known }: About) {
  const { response, passages, asked, source } = lookup;
  const passage = best === null ? undefined : passages.all[best.index];
  const shared = new Set(best === null ? [] : [...statement.keys].filter((key) => isIn(key, best.index)));
  const isComparable =
    passage !== undefined &&
    statement.language !== null &&
    describeUnread(passage.words, passage.numbers, statement.language) === null &&
    hasSamePlaces() &&
    !isWorkedOut(statement.text.slice(0, 10 * window));
  const said = new Set(statement.details.flatMap((detail) => (detail.kind === "number" ? [detail.mention.value] : [])));
  const there = (passage?.numbers ?? []).slice(0, mostKnown).map((mention) => showNumber(passages.text, mention));
  const all = gatherKnown();

  function isIn(key: string, index: number): boolean {
    return passages.byKey.get(key)?.includes(index) === true;
  }

  /** Whether the best passage has the names and dates of the statement that the source has. */
  function hasSamePlaces(): boolean {
    const index = best?.index ?? -1;
    const isHere = (places: readonly number[]) => places.length === 0 || places.includes(index);
    const hasDates = placed.every(({ detail, where }) => {
      return detail.kind !== "date" || typeof where === "string" || isHere(where);
    });
    const names = statement.language === "de" ? [] : statement.words.filter(isNameInside);
    const hasNames = names.every(({ norm, key }) => {
      return isHere(passages.byNorm.get(norm) ?? passages.byKey.get(key) ?? []);
    });
    return hasDates && hasNames;
  }

  function gatherKnown(): readonly Shown[] {
    const found = [...known, ...there];
    for (const from of [asked.prompt, passages]) {
      for (const { numbers } of from.all) {
        if (found.length >= mostKnown) return found;
        found.push(...numbers.map((mention) => showNumber(from.text, mention)));
      }
    }
    return found;
  }

  /**
   * Whether the best passage is about the same: it has half of the words, but for those that say what the detail counts. One
   * word is enough where no other passage has as many, and this one has no other word that would be about something else.
   */
  function isAbout(detail: Detail): boolean {
    const own = new Set(detail.kind === "number" ? detail.nouns.map(({ key }) => key) : []);
    let [total, there] = [statement.keys.size, shared.size];
    for (const key of own) {
      if (statement.keys.has(key)) total -= 1;
      if (shared.has(key)) there -= 1;
    }
    if (there >= fewestShared) return there >= leastShared * total;
    if (there === 0 || best?.isAlone !== true || there < leastShared * total) return false;
    return total === 1 ? statement.inherited.size > 0 || !pronoun.test(statement.text) : hasNothingElse(own);
  }

  /** Whether the best passage has no word of content that the statement lacks. */
  function hasNothingElse(own: ReadonlySet<string>): boolean {
    const words = passage?.words ?? [];
    return [...keysOf(words, statement.language)].every((key) => statement.keys.has(key) || own.has(key));
  }

  function derive({ start, end, mention }: NumberDetail): string | null {
    return deriveValue({
      said: showNumber(response, mention),
      before: response.text.slice(Math.max(statement.start, start - window), start),
      after: response.text.slice(end, Math.min(statement.end, end + window)),
      passage: passages.text.text.slice(
        passage?.start ?? 0,
        Math.min(passage?.end ?? 0, (passage?.start ?? 0) + 4 * window),
      ),
      operands: [...known, ...there],
      there,
      known: all,
    });
  }

  function findOther(detail: NumberDetail | DateDetail): Range | null {
    if (passage === undefined || !isComparable || !isAbout(detail)) return null;
    if (detail.kind === "date") {
      const when = findOtherWhen(detail, passage, statement);
      return when === null || isInOtherClause(detail, when) ? null : when;
    }
    const other = findOtherNumber(passages.text, detail, passage);
    if (other === null || isEndOfRange(other) || isInOtherClause(detail, rangeOf(other))) return null;
    return said.has(other.value) && other.rate === null ? null : rangeOf(other);
  }

  /** The ranges of the best passage, each as its two numbers. */
  function* listRanges() {
    const numbers = passage?.numbers ?? [];
    for (const [at, high] of numbers.slice(0, mostCompared).entries()) {
      const low = numbers[at - 1];
      if (low !== undefined && isRange(passages.text.text, low, high)) yield { low, high };
    }
  }

  function isEndOfRange(number: NumberMention): boolean {
    return [...listRanges()].some(({ low, high }) => low === number || high === number);
  }

  /** "12 kg" where the passage says "10 to 15 kg". */
  function findAround({ mention }: NumberDetail): string | null {
    for (const { low, high } of listRanges()) {
      const isInside = low.value <= mention.value && mention.value <= high.value;
      if (isInside && isSameMeasure(mention, high)) {
        const range = passages.text.text.slice(low.start, endOfMeasure(high));
        return `${source} says ${range}, and ${showNumber(response, mention).shown} is within that range.`;
      }
    }
    return null;
  }

  /** Whether the claim or the passage has its value in a clause that shares no word with the other one. */
  function isInOtherClause(detail: Detail, other: Range): boolean {
    const [own, there] = [passage?.words ?? [], statement.words];
    return (
      isApart(response.text, statement, detail, statement.words, own) ||
      isApart(passages.text.text, passage ?? other, other, own, there)
    );
  }

  return (detail: Detail): Finding | null => {
    const shown = response.text.slice(detail.start, detail.end);
    const missing = toFinding(detail.kind, "not_found", detail, `${source} doesn't have ${quote(shown)}.`);
    if (detail.kind === "quotation") return missing;
    const derived = detail.kind === "number" ? (findAround(detail) ?? derive(detail)) : null;
    if (derived !== null) return toFinding(detail.kind, "not_checkable", detail, derived);
    const other = findOther(detail);
    if (other === null) return isSmallCount(detail) ? null : missing;
    const there = passages.text.text.slice(other.start, other.end);
    const evidence = [other, passage ?? other].map((range) => spanOf(passages.text, range));
    return toFinding(detail.kind, "contradicted", detail, `${source} says ${there}, not ${shown}.`, evidence);
  };
}

/** A number with its unit, as its text shows it. */
export function showNumber({ text }: Text, mention: NumberMention): Shown {
  const { start, end } = rangeOf(mention);
  return { mention, shown: text.slice(start, end) };
}

function rangeOf(mention: NumberMention): Range {
  return { start: mention.start, end: endOfMeasure(mention) };
}

/** Small numbers in words count what is talked about ("the two bands"): that the source doesn't is no finding. */
function isSmallCount(detail: NumberDetail | DateDetail): boolean {
  if (detail.kind === "date" || !detail.mention.isWord || detail.mention.kind !== "cardinal") return false;
  return detail.mention.value <= 3 && measureOf(detail.mention) === null;
}

/** The only number of a passage that is of the same class. */
function findOtherNumber({ text }: Text, said: NumberDetail, { numbers, words }: Passage): NumberMention | null {
  if (numbers.length > mostCompared) return null;
  const [only, ...others] = numbers.filter((number) => isSameClass(said, number, nounsAfter(text, words, number)));
  return others.length > 0 ? null : (only ?? null);
}

/** Money of a currency, percentages, numbers with the same unit, counts of the same thing, and numbers that are alone. */
export function isSameClass(
  { mention, nouns }: NumberDetail,
  there: NumberMention,
  thereNouns: readonly Word[],
): boolean {
  if (mention.kind === "ordinal" || there.kind === "ordinal") return mention.kind === there.kind;
  const [own, other] = [baseOf(mention), baseOf(there)];
  // The same number by the month and by the year is no conversion.
  const isSameRate = mention.rate?.name === there.rate?.name || mention.value === there.value;
  if (own !== null || other !== null || mention.rate !== null || there.rate !== null)
    return own === other && isSameRate;
  if (nouns.length === 0 || thereNouns.length === 0) return nouns.length === thereNouns.length;
  return nouns.some(({ key }) => thereNouns.some((noun) => noun.key === key));
}

/** The only date, or time of day, of a passage, where it can't be the same. */
function findOtherWhen({ mention, start }: DateDetail, { whens }: Passage, { details }: Statement): Range | null {
  if (whens.length > mostCompared) return null;
  // Of "6 to 29 August" the other end is compared where one of them is said.
  const saidToo = details.flatMap((detail) => {
    return detail.kind === "date" && detail.start === start && detail.mention !== mention ? [detail.mention] : [];
  });
  const [only, ...others] = whens.filter(
    (when) => when.kind === mention.kind && !saidToo.some((said) => isSameWhen(said, when)),
  );
  return only !== undefined && others.length === 0 && differs(mention, only) && isAsExact(mention, only) ? only : null;
}

const clauseStart = /(?:[,(–—] ?(?:who|whose|whom|which|where|born|founded|now|then|aged)\b|\()/gi;
const clauseEnd = /[,;)–—.]/;

/** Whether a range is in a clause of its sentence ("who was born in 1950") that shares no word with another sentence. */
function isApart(
  text: string,
  sentence: Range,
  { start, end }: Range,
  words: readonly Word[],
  others: readonly Word[],
): boolean {
  const before = text.slice(sentence.start, start);
  const opening = [...before.matchAll(clauseStart)].at(-1);
  if (opening === undefined || clauseEnd.test(before.slice(opening.index + 1).replace(/^ ?\w/, ""))) return false;
  const from = sentence.start + opening.index;
  const inClause = words.filter((word) => word.start >= from && word.end <= Math.max(start, from) && !word.isFunction);
  const known = new Set(others.map(({ key }) => key));
  return end > from && !inClause.some(({ key, isNumber }) => !isNumber && known.has(key));
}

/** Whether a date says the day, or else the month, where another one does: no year contradicts a birthday. */
function isAsExact(said: When, there: When): boolean {
  if (said.kind === "time" || there.kind === "time") return true;
  return said.day !== null ? there.day !== null : said.month === null || there.month !== null;
}

const longestQuote = 80;

function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > longestQuote ? `${line.slice(0, longestQuote).toWellFormed()}…` : line}”`;
}
