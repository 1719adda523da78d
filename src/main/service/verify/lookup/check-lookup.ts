import type { FindingKind, TextSpan, Verdict } from "#contract";
import { differs, type When } from "../text/dates.ts";
import { type NumberMention, numbersOf } from "../text/numbers.ts";
import type { Word } from "../text/words.ts";
import type { Finding, Range, Reading, Text } from "../types.ts";
import { checkOpposite } from "./check-opposite.ts";
import { deriveValue, isWorkedOut, type Shown } from "./derive-value.ts";
import { type Asked, findDetail, intersect, measureOf, type Whereabouts } from "./find-detail.ts";
import { type BestPassage, findBestPassage } from "./find-passage.ts";
import { findSource } from "./find-source.ts";
import { indexPassages, type Passage, type Passages, readPassages, valuesOf, withoutRanges } from "./index-passages.ts";
import { type Detail, keysOf, nounsAfter, readStatements, type Statement } from "./read-statements.ts";

/** What the look-up of one statement goes by. */
export interface Lookup {
  readonly response: Text;
  readonly passages: Passages;
  readonly asked: Asked;
  /** "The document" or "The passage". */
  readonly source: string;
}

type NumberDetail = Extract<Detail, { kind: "number" }>;
type DateDetail = Extract<Detail, { kind: "date" }>;

/**
 * Looks up the numbers, dates, names and quotations of a response in the document, or in the passage that stands in the
 * prompt. `sums` is what equations came to: what is in them is judged there alone.
 */
export function checkLookup(reading: Reading, sums: readonly Finding[]): readonly Finding[] {
  const source = findSource(reading);
  if (source === null) return [];
  const { prompt, response } = reading;
  const judged = sums.map(({ range }) => range).toSorted((a, b) => a.start - b.start);
  const isSource = new Set(source.text === prompt ? source.passages : []);
  const others = prompt.sentences.flatMap((_, index) => (isSource.has(index) ? [] : [index]));
  const lookup: Lookup = {
    response,
    passages: indexPassages(source.text, source.passages),
    asked: { prompt: readPassages(prompt, others), computed: readComputed(response, sums) },
    source: source.name,
  };
  const question = keysOf(lookup.asked.prompt.all.flatMap(({ words }) => words));
  let before: readonly Shown[] = [];
  return readStatements(response, judged).flatMap((statement) => {
    const placed = placeDetails(lookup, statement);
    const findings = checkStatement(lookup, statement, placed, { question, before });
    before = placed.flatMap(({ detail, where }) => showPlaced(response, detail, where));
    return findings;
  });
}

/** The values of the equations that come out. */
function readComputed(response: Text, sums: readonly Finding[]): ReadonlySet<number> {
  const right = sums.filter(({ verdict }) => verdict === "supported").map(({ range }) => range);
  if (right.length === 0) return new Set();
  const numbers = numbersOf(response);
  const outside = new Set(withoutRanges(numbers, right.toSorted((a, b) => a.start - b.start)));
  return new Set(numbers.filter((number) => !outside.has(number)).flatMap(valuesOf));
}

/** A shorter statement is an answer that only the question makes whole. */
const fewestKeys = 3;
const speaksOfText =
  /\b(?:passage|text|document|context|article|information)\b.*\b(?:not|n['’]t|no)\b|\b(?:not|n['’]t|no)\b.*\b(?:mention|state|specif|provid|contain|say|information)/i;

interface Around {
  /** The words of the question. */
  readonly question: ReadonlySet<string>;
  /** The numbers of the statement before that stand somewhere: what "that is" goes on from. */
  readonly before: readonly Shown[];
}

function placeDetails({ passages, asked, response }: Lookup, { details }: Statement): readonly Placed[] {
  return details
    .filter((detail) => isTold(passages, detail))
    .map((detail) => ({ detail, where: findDetail(passages, asked, detail, response.text) }));
}

function showPlaced(response: Text, detail: Detail, where: Whereabouts): readonly Shown[] {
  return detail.kind === "number" && where !== "missing" ? [show(response, detail.mention)] : [];
}

function show({ text }: Text, mention: NumberMention): Shown {
  return { mention, shown: text.slice(mention.start, Math.max(mention.end, mention.unit?.end ?? 0)) };
}

function checkStatement(
  lookup: Lookup,
  statement: Statement,
  placed: readonly Placed[],
  { question, before }: Around,
): readonly Finding[] {
  if (speaksOfText.test(statement.text)) return [];
  const keys = statement.keys.size < fewestKeys ? statement.keys.union(question) : statement.keys;
  const best = findBestPassage(lookup.passages, keys, statement.words);
  const whole: Statement = statement.keys.size === 0 ? { ...statement, keys: question } : statement;
  const verbatim = findVerbatim(lookup, statement);
  if (verbatim !== null) return [supported(lookup, statement, verbatim)];
  const opposite = checkOpposite(lookup, whole, best);
  const findings = placed.flatMap(({ detail, where }) =>
    where === "missing" ? (judgeMissing(lookup, { statement: whole, best, placed, before }, detail) ?? []) : [],
  );
  const all = [...opposite, ...findings];
  return all.length > 0 ? all : judgeTogether(lookup, whole, best, placed);
}

/**
 * Whether a detail is looked up. "One" and ordinals in words tell too little. A name that opens a sentence may be any word:
 * it is looked up where the source has it as a name.
 */
function isTold(passages: Passages, detail: Detail): boolean {
  if (detail.kind === "name") {
    return detail.isSure || detail.words.every(({ norm }) => passages.named.get(norm.slice(0, 3))?.has(norm) === true);
  }
  if (detail.kind !== "number" || !detail.mention.isWord) return true;
  return detail.mention.kind !== "ordinal" && (detail.mention.value !== 1 || measureOf(detail.mention) !== null);
}

/** Small numbers in words count what is talked about ("the two bands"): that the source doesn't is nothing to tell. */
function isSmallCount(detail: Detail): boolean {
  if (detail.kind !== "number" || !detail.mention.isWord || detail.mention.kind !== "cardinal") return false;
  return detail.mention.value <= 3 && measureOf(detail.mention) === null;
}

interface Placed {
  readonly detail: Detail;
  readonly where: Whereabouts;
}

interface About {
  readonly statement: Statement;
  readonly best: BestPassage | null;
  readonly placed: readonly Placed[];
  readonly before: readonly Shown[];
}

/** What is missing: worked out, contradicted by another value, or not in the document. Null where nothing can be said. */
function judgeMissing(lookup: Lookup, about: About, detail: Detail): Finding | null {
  const { statement, best, placed } = about;
  const { response, source } = lookup;
  const shown = quote(response.text.slice(detail.start, detail.end));
  const missing = isSmallCount(detail)
    ? null
    : toFinding(detail.kind, "not_found", detail, `${source} doesn't have ${shown}.`);
  if (detail.kind === "name" || detail.kind === "quotation") return missing;
  const passage = best === null ? undefined : lookup.passages.all[best.index];
  if (detail.kind === "number") {
    const reason = deriveFrom(lookup, about, detail, passage);
    if (reason !== null) return toFinding("number", "not_checkable", detail, reason);
  }
  if (passage === undefined || !isAbout(lookup, statement, best, placed, detail) || isWorkedOut(statement.text)) {
    return missing;
  }
  const other = detail.kind === "number" ? findOtherNumber(lookup, statement, detail, passage) : findOtherWhen(detail, passage);
  if (other === null) return missing;
  const { text } = lookup.passages;
  const said = response.text.slice(detail.start, detail.end);
  const there = text.text.slice(other.start, other.end);
  return toFinding(detail.kind, "contradicted", detail, `${source} says ${there}, not ${said}.`, [
    spanOf(text, other),
    spanOf(text, passage),
  ]);
}

const fewestShared = 2;
const leastShared = 0.5;
/** What a statement about something else may begin with. */
const pronoun = /^\W*(?:it|they|this|that|these|those|he|she|there|we|you|i)\b/i;

/**
 * Whether the best passage speaks of what the statement does: it has half of its words, but for those that say what the
 * detail counts, and its names and dates.
 */
function isAbout(
  { passages }: Lookup,
  statement: Statement,
  best: BestPassage | null,
  placed: readonly Placed[],
  detail: Detail,
): boolean {
  if (best === null) return false;
  const own = new Set(detail.kind === "number" ? detail.nouns.map(({ key }) => key) : []);
  const keys = [...statement.keys].filter((key) => !own.has(key));
  const shared = keys.filter((key) => passages.byKey.get(key)?.includes(best.index) === true).length;
  const least = keys.length === 1 && !pronoun.test(statement.text) ? 1 : fewestShared;
  if (shared < least || shared < leastShared * keys.length) return false;
  return placed.every(({ detail, where }) => {
    const isPlace = detail.kind === "name" || detail.kind === "date";
    return !isPlace || typeof where === "string" || where.length === 0 || where.includes(best.index);
  });
}

/** The only number of a passage that is of the same class, where the statement doesn't have that, too. */
function findOtherNumber(
  { passages }: Lookup,
  statement: Statement,
  said: NumberDetail,
  passage: Passage,
): Range | null {
  const { text } = passages.text;
  const alike = passage.numbers.filter((number) => isSameClass(said, number, nounsAfter(text, passage.words, number)));
  const [only, ...others] = alike;
  if (only === undefined || others.length > 0) return null;
  const isSaid = statement.details.some((detail) => detail.kind === "number" && detail.mention.value === only.value);
  return isSaid ? null : { start: only.start, end: Math.max(only.end, only.unit?.end ?? 0) };
}

/** Money, percentages, numbers with a unit of one dimension, counts of the same thing, and numbers that stand alone. */
function isSameClass({ mention, nouns }: NumberDetail, there: NumberMention, thereNouns: readonly Word[]): boolean {
  if (mention.kind === "ordinal" || there.kind === "ordinal") return mention.kind === there.kind;
  const [own, other] = [measureOf(mention), measureOf(there)];
  if (own !== null || other !== null) {
    if (own === other) return true;
    const isUnit = mention.unit !== null && there.unit !== null && mention.currency === null && there.currency === null;
    return isUnit && mention.unit?.unit.dimension === there.unit?.unit.dimension;
  }
  if (nouns.length === 0 || thereNouns.length === 0) return nouns.length === thereNouns.length;
  return nouns.some(({ key }) => thereNouns.some((noun) => noun.key === key));
}

/** The only date, or time of day, of a passage, where it can't be the same. */
function findOtherWhen({ mention }: DateDetail, { whens }: Passage): Range | null {
  const [only, ...others] = whens.filter(({ kind }: When) => kind === mention.kind);
  return only !== undefined && others.length === 0 && differs(mention, only) ? only : null;
}

const mostKnown = 400;

function deriveFrom(
  { response, passages, asked }: Lookup,
  { statement, placed, before }: About,
  detail: NumberDetail,
  passage: Passage | undefined,
): string | null {
  const own = placed.flatMap(({ detail: one, where }) => showPlaced(response, one, where));
  const there = (passage?.numbers ?? []).map((mention) => show(passages.text, mention));
  const operands = [...own, ...there, ...before];
  const known = [...operands];
  for (const source of [asked.prompt, passages]) {
    for (const { numbers } of source.all) {
      if (known.length >= mostKnown) break;
      known.push(...numbers.map((mention) => show(source.text, mention)));
    }
  }
  return deriveValue({
    said: show(response, detail.mention),
    before: response.text.slice(statement.start, detail.start),
    after: response.text.slice(detail.end, statement.end),
    passage: passages.text.text.slice(passage?.start ?? 0, passage?.end ?? 0),
    operands,
    known,
  });
}

/** Nothing is missing: whether all that was looked up stands together, in a passage about the same. */
function judgeTogether(
  lookup: Lookup,
  statement: Statement,
  best: BestPassage | null,
  placed: readonly Placed[],
): readonly Finding[] {
  const found = placed.flatMap(({ where }) => (typeof where === "string" ? [] : [where]));
  if (found.length === 0) return [];
  const { passages, source } = lookup;
  const together = intersect(found);
  const least = leastShared * statement.keys.size;
  const index = together.find((one) => one === best?.index) ?? together.find((one) => shares(passages, statement, one) >= least);
  const isWhole = found.length === placed.length;
  if (index !== undefined && isWhole && shares(passages, statement, index) >= least && !isDenied(passages, statement, index)) {
    return [supported(lookup, statement, index)];
  }
  const reason = isWhole
    ? `${source} has its details, but not together.`
    : `${source} doesn't have all of its details; the others stand in the prompt.`;
  return [toFinding(null, "not_checkable", statement, reason)];
}

/** How many of a statement's words a passage has. */
function shares({ byKey }: Passages, { keys }: Statement, passage: number): number {
  let count = 0;
  for (const key of keys) if (byKey.get(key)?.includes(passage) === true) count += 1;
  return count;
}

const negation = /\b(?:not|no|never|none|nor|neither|without|cannot)\b|n['’]t\b/i;

function isDenied(passages: Passages, statement: Statement, index: number): boolean {
  const passage = passages.all[index];
  const there = passages.text.text.slice(passage?.start, passage?.end);
  return negation.test(statement.text) !== negation.test(there);
}

const fewestVerbatim = 3;

/** The passage that has a statement word for word. */
function findVerbatim({ passages }: Lookup, { words }: Statement): number | null {
  if (words.length < fewestVerbatim) return null;
  const lists = words.map(({ norm }) => passages.byNorm.get(norm) ?? []);
  if (lists.some((list) => list.length === 0)) return null;
  const rarest = lists.reduce((fewest, list) => (list.length < fewest.length ? list : fewest));
  const wanted = ` ${words.map(({ norm }) => norm).join(" ")} `;
  const index = rarest.find((one) => ` ${passages.all[one]?.words.map(({ norm }) => norm).join(" ")} `.includes(wanted));
  return index ?? null;
}

function supported({ passages, source }: Lookup, statement: Statement, index: number): Finding {
  const evidence = spanOf(passages.text, passages.all[index] ?? { start: 0, end: 0 });
  return toFinding(null, "supported", statement, `${source} has its details together.`, [evidence]);
}

export function spanOf({ source, text }: Text, { start, end }: Range): TextSpan {
  return { source, start, end, text: text.slice(start, end) };
}

export function toFinding(
  kind: FindingKind | null,
  verdict: Verdict,
  { start, end }: Range,
  reason: string,
  evidence: readonly TextSpan[] = [],
): Finding {
  return { kind, verdict, range: { start, end }, reason, evidence };
}

const longestQuote = 80;

function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > longestQuote ? `${line.slice(0, longestQuote).toWellFormed()}…` : line}”`;
}
