import { differs } from "../text/dates.ts";
import { isNegationWord, type Language } from "../text/language.ts";
import { measureOf } from "../text/numbers.ts";
import { findUnit } from "../text/units.ts";
import { isNameInside, type Word } from "../text/words.ts";
import type { Range } from "../types.ts";
import { opposites } from "./check-opposite.ts";
import { isWhen, type Value } from "./find-detail.ts";
import { type Passage, type Passages, valuesOf } from "./index-passages.ts";
import { isSameClass } from "./judge-missing.ts";
import { type Detail, nounsAfter, type Statement } from "./read-statements.ts";

/**
 * Words that change what is said, by what they have in common: bounds, conditions, what has to, may or will be, and what is
 * only said or denied.
 */
const qualifiers: ReadonlyMap<string, string> = new Map(
  [
    "least minimum min",
    "most maximum max",
    "more over above exceed exceeds exceeding beyond",
    "less fewer under below",
    "before until till",
    "after since",
    "if unless provided except without only",
    "may can could might",
    "must shall should required",
    "will would expected planned proposed scheduled plan plans intends aims wants hopes tried",
    "nearly almost hardly barely",
    "all every each both always",
    "some any sometimes",
    "false untrue wrong myth doubt denied denies deny",
    "that claim claims claimed alleged allegedly reportedly believe believes believed said says according rumoured",
    "former formerly previously",
    "respectively",
  ].flatMap((line) => line.split(" ").map((word) => [word, line])),
);

/** What a word that changes what is said has in common with others: "least" with "minimum". Null for any other word. */
export function qualifierGroupOf(norm: string): string | null {
  return qualifiers.get(norm) ?? null;
}

/**
 * Whether a passage says what a statement says, as far as words can show: it is a statement itself and has all words of
 * content, with the same negations and qualifiers, no antonym, its names in the same order, and its values for the same words.
 * That it has the details is known.
 */
export function isSupportedBy(passages: Passages, index: number, statement: Statement): boolean {
  const passage = passages.all[index];
  if (passage === undefined || statement.left > 0 || !isAssertion(passages, index)) return false;
  return (
    hasContent(passages, index, statement) &&
    describeQualifiers(statement.words, statement.language) === describeQualifiers(passage.words, statement.language) &&
    !hasAntonym(statement, passage) &&
    hasSameOrder(statement.words, passage.words) &&
    hasSameUnits(passages.text.text, statement, passage) &&
    !hasOwner(passages.text.text, statement, passage) &&
    hasSameValues(passages, passage, statement)
  );
}

/** Whether a passage says something: it is no question, and no heading above another line. */
export function isAssertion({ text: { text }, all }: Passages, index: number): boolean {
  const { start, end } = all[index] ?? { start: 0, end: 0 };
  const passage = text.slice(start, end);
  if (/[?:]["”’)*]*$/.test(passage) || /^(?:#{1,6}\s|\*\*[^*]+\*\*$)/.test(passage)) return false;
  const isOwnLine =
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 9), start)) && /^[ \t]*\r?\n/.test(text.slice(end, end + 9));
  // A line without a full stop, above a paragraph with one.
  const next = all[index + 1];
  const isAboveSentence = next !== undefined && /[.!?]$/.test(text.slice(next.start, next.end));
  return !isOwnLine || !isAboveSentence || /[.!|;]$|^(?:[-*•+|]|\d+[.)])/.test(passage);
}

/** Whether a passage has every word of content that a statement has besides its details and their units, and at least one. */
function hasContent(
  { byKey, byNorm, all }: Passages,
  index: number,
  { keys, inherited, words, details }: Statement,
): boolean {
  const isThere = (key: string) => byKey.get(key)?.includes(index) === true;
  if (inherited.size > 0 && ![...inherited].some(isThere)) return false;
  const inDetails = new Set(
    words
      .filter((word) => findUnit(word.norm) !== null || details.some((detail) => isWithin(word, detail)))
      .map(({ key }) => key),
  );
  const verbs = new Set(words.filter((_, at) => isValueVerb(words, at)).map(({ key }) => key));
  const content = [...keys].filter((key) => !inDetails.has(key) && !inherited.has(key) && !verbs.has(key));
  // A single word that opens a sentence is a name where the passage has it as one.
  const named = new Set((all[index]?.words ?? []).filter(isNameInside).map(({ key }) => key));
  const inNames = new Set(
    words
      .filter((word) => named.has(word.key) || details.some((detail) => isWithin(word, detail)))
      .map(({ key }) => key),
  );
  // Versions and other codes are no details, and have to be there as they are written.
  const codes = words.filter((word) => word.isNumber && !details.some((detail) => isWithin(word, detail)));
  const hasCodes = codes.every(({ norm }) => byNorm.get(norm)?.includes(index) === true);
  return hasCodes && content.every(isThere) && content.some((key) => !inNames.has(key));
}

/** "Came to $14.6m", "stood at 5%": before a value these verbs say that it is one. */
function isValueVerb(words: readonly Word[], at: number): boolean {
  return (
    /^(?:come|came|amount(?:s|ed)?|stood|stands?)$/.test(words[at]?.norm ?? "") &&
    /^(?:to|at)$/.test(words[at + 1]?.norm ?? "") &&
    words[at + 2]?.isNumber === true
  );
}

/** The qualifiers and denials of a sentence, each with the word that it is about. */
function describeQualifiers(words: readonly Word[], language: Language | null): string {
  const found = words.flatMap((word, at) => {
    // What rises by 5% does not rise to 5%; "3 to 5" is a range.
    if (word.norm === "to" && words[at + 1]?.isNumber === true && words[at - 1]?.isNumber !== true) {
      return isValueVerb(words, at - 1) ? [] : ["to"];
    }
    const isDenial = language !== null && isNegationWord(word, language);
    // The month of May allows nothing.
    const isName = word.isCapital && !word.isFirst;
    const group = isDenial ? "not" : isName ? undefined : qualifiers.get(word.norm);
    if (group === undefined) return [];
    const next = words.slice(at + 1).find(({ isFunction, norm }) => !isFunction && qualifiers.get(norm) !== group);
    return [`${group}: ${next?.key ?? ""}`];
  });
  return [...new Set(found)].toSorted().join();
}

function hasAntonym({ words }: Statement, passage: Passage): boolean {
  const own = new Set(words.map(({ key }) => key));
  return passage.words.some(
    ({ key }) => !own.has(key) && [...(opposites.get(key) ?? [])].some((other) => own.has(other)),
  );
}

/** Whether the passage speaks of what belongs to a name of the statement: "Ida Moen's lawyer" is not Ida Moen. */
function hasOwner(text: string, { text: said, words }: Statement, passage: Passage): boolean {
  if (/['’]s\b/.test(said)) return false;
  const names = new Set(words.filter(isNameWord).map(({ norm }) => norm));
  return passage.words.some(({ norm, end }) => names.has(norm) && /^['’]s?\s/.test(text.slice(end, end + 3)));
}

/**
 * Whether the names that both have come in the same order, and so do the first and the last word of content: with the same
 * one doing something, as far as "by" shows that.
 */
function hasSameOrder(said: readonly Word[], there: readonly Word[]): boolean {
  const placeOf = ({ key, isCapital }: Word) =>
    there.findIndex((word) => word.key === key && word.isCapital === isCapital);
  const names = said.filter((word) => isNameWord(word) && placeOf(word) !== -1);
  const places = names.map(placeOf);
  const hasTwo = places.some((place) => place > (places[0] ?? 0) + 1);
  if (places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0))) return false;
  if (hasAgent(said) !== hasAgent(there)) return !hasTwo;
  const content = said.filter(({ isFunction, isNumber }) => !isFunction && !isNumber);
  const [first, last] = [content[0]?.key, content.at(-1)?.key];
  const start = there.findIndex(({ key }) => key === first);
  const end = there.findLastIndex(({ key }) => key === last);
  return start === -1 || end === -1 || start <= end;
}

/** "Built by Ida", but not "rose by 5%". */
function hasAgent(words: readonly Word[]): boolean {
  return words.some(({ norm }, at) => norm === "by" && words[at + 1]?.isNumber === false);
}

function isNameWord({ isCapital, isFunction, isNumber }: Word): boolean {
  return isCapital && !isFunction && !isNumber;
}

/**
 * Whether the values of a statement belong to the same words in a passage: where the passage has other values of the class,
 * too, no word of the statement is with those alone, and the values come in the same order.
 */
function hasSameValues({ text: { text } }: Passages, passage: Passage, { words, details }: Statement): boolean {
  return details.every((detail) => {
    const alike = findAlike(text, passage, detail);
    const places = details.map((other) => alike.findIndex((value) => isReadingOf(other, value)));
    const claimed = places.filter((place) => place !== -1);
    if (claimed.some((place, at) => at > 0 && place < (claimed[at - 1] ?? 0))) return false;
    if (new Set(claimed).size === alike.length) return true;
    const parts = splitBetween(text, passage, alike);
    if (parts === null) return false;
    return words.every(({ key, isNumber, isFunction }) => {
      if (isNumber || isFunction) return true;
      const own = passage.words.filter((word) => word.key === key);
      const found = parts.flatMap((part, at) => (own.some((word) => isWithin(word, part)) ? [at] : []));
      return found.length === 0 || found.some((at) => claimed.includes(at));
    });
  });
}

/** Whether each number has the same unit or, without one, the same nouns after it: "20 metres" is not "20 mètres carrés". */
function hasSameUnits(text: string, { details }: Statement, passage: Passage): boolean {
  return details.every((detail) => {
    if (detail.kind !== "number") return true;
    const same = passage.numbers.filter((number) => isReadingOf(detail, number));
    const own = detail.nouns.map(({ key }) => key).join(" ");
    return same.some((number) => {
      if (measureOf(detail.mention) !== measureOf(number)) return false;
      const others = nounsAfter(text, passage.words, number).map(({ key }) => key);
      return measureOf(number) !== null || own === "" || others.length === 0 || own === others.join(" ");
    });
  });
}

/** The values of a passage that are of the class of a detail, in order. */
function findAlike(text: string, { numbers, whens, words }: Passage, detail: Detail): readonly Value[] {
  if (detail.kind === "date") return whens.filter(({ kind }) => kind === detail.mention.kind);
  if (detail.kind !== "number") return [];
  return numbers.filter((number) => isSameClass(detail, number, nounsAfter(text, words, number)));
}

function isReadingOf(detail: Detail, value: Value): boolean {
  if (detail.kind === "date") return isWhen(value) && !differs(detail.mention, value);
  if (detail.kind !== "number" || isWhen(value)) return false;
  const readings = valuesOf(value);
  return valuesOf(detail.mention).some((one) => readings.includes(one));
}

const separator = /[,;:|(]|\b(?:and|or|but|while|whereas)\b/gi;

/** The parts of a passage around its values, each from one separator to the next; null where two values have none between. */
function splitBetween(text: string, passage: Range, values: readonly Range[]): readonly Range[] | null {
  const ends: number[] = [];
  for (const [at, { start }] of values.slice(1).entries()) {
    const from = values[at]?.end ?? 0;
    const last = [...text.slice(from, start).matchAll(separator)].at(-1);
    if (last === undefined) return null;
    ends.push(from + last.index);
  }
  return [passage.start, ...ends].map((start, at) => ({ start, end: ends[at] ?? passage.end }));
}

function isWithin(inner: Range, outer: Range): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
