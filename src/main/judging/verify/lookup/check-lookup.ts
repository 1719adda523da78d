import type { NearestPassage } from "#contract";
import { whensOf } from "../text/dates.ts";
import { languageOf } from "../text/language.ts";
import { numbersOf } from "../text/numbers.ts";
import { isNameInside, wordsOf } from "../text/words.ts";
import type { Finding, Reading, Text } from "../types.ts";
import { checkOpposite } from "./check-opposite.ts";
import type { Shown } from "./derive-value.ts";
import { type DetailLocation, findDetail, intersect, saysSomething } from "./find-detail.ts";
import { findNearest } from "./find-nearest.ts";
import { type BestPassage, findBestPassage } from "./find-passage.ts";
import { findSource } from "./find-source.ts";
import { indexPassages, type Passages, readPassages, valuesOf, withoutRanges } from "./index-passages.ts";
import { createMissingJudge, showNumber } from "./judge-missing.ts";
import { type Lookup, leastShared, type Placed, spanOf, toFinding } from "./lookup.ts";
import { keysOf, readStatements, type Statement } from "./read-statements.ts";
import { isAssertion, isSupportedBy } from "./supports.ts";

export interface LookedUp {
  readonly findings: readonly Finding[];
  /** The passage that is most like a sentence without evidence, by the place where that begins. */
  readonly nearest: ReadonlyMap<number, NearestPassage>;
}

/** More words of a prompt are no question. */
const mostAsked = 60;

/**
 * Looks up the numbers, dates and quotations of a response in the document, or in the passage that is in the
 * prompt. `sums` is what equations came to: what is in them is judged there alone.
 */
export function* checkLookup(reading: Reading, sums: readonly Finding[]): Generator<number, LookedUp> {
  const source = findSource(reading);
  if (source === null) return { findings: [], nearest: new Map() };
  const { prompt, response } = reading;
  const isSource = new Set(source.text === prompt ? source.passages : []);
  const others = prompt.sentences.flatMap((_, index) => (isSource.has(index) ? [] : [index]));
  const asked = { prompt: readPassages(prompt, others), computed: readComputed(response, sums) };
  for (const read of [wordsOf, numbersOf, whensOf]) {
    read(source.text);
    yield source.text.text.length;
  }
  const passages = indexPassages(source.text, source.passages);
  yield source.text.text.length;
  const lookup: Lookup = { response, passages, asked, source: source.name };
  const wanted = languageOf(source.text).language ?? languageOf(prompt).language;
  const usual = languageOf(response).language ?? languageOf(prompt).language ?? wanted;
  const question = new Set(
    [
      ...keysOf(
        asked.prompt.all.flatMap(({ words }) => words),
        wanted === "other" ? null : wanted,
      ),
    ].slice(0, mostAsked),
  );
  const judged = sums.map(({ range }) => range).toSorted((a, b) => a.start - b.start);
  /** A response says much the same again and again: it is looked up once. */
  const known = new Map<string, DetailLocation>();
  let before: readonly Shown[] = [];
  const findings: Finding[] = [];
  const nearest = new Map<number, NearestPassage>();
  for (const statement of readStatements(response, judged, { wanted, usual })) {
    const placed = placeDetails(lookup, statement, known);
    const own = placed.flatMap(({ detail, where }) => {
      return detail.kind === "number" && where !== "missing" ? [showNumber(response, detail.mention)] : [];
    });
    const found = checkStatement(lookup, statement, placed, { question, known: [...own, ...before] });
    findings.push(...found);
    const passage = found.some(({ evidence }) => evidence.length > 0)
      ? null
      : findNearest(passages, response, statement);
    if (passage !== null) nearest.set(statement.start, passage);
    if (statement.left > 0)
      findings.push(
        toFinding(
          null,
          "not_checkable",
          statement,
          `${statement.left.toLocaleString("en")} more of its details were not looked up.`,
        ),
      );
    before = own;
    yield statement.text.length;
  }
  return { findings, nearest };
}

/** The values of the equations that come out. */
function readComputed(response: Text, sums: readonly Finding[]): ReadonlySet<number> {
  const right = sums.filter(({ verdict }) => verdict === "supported").map(({ range }) => range);
  if (right.length === 0) return new Set();
  const numbers = numbersOf(response);
  const outside = new Set(
    withoutRanges(
      numbers,
      right.toSorted((a, b) => a.start - b.start),
    ),
  );
  return new Set(numbers.filter((number) => !outside.has(number)).flatMap(valuesOf));
}

function placeDetails(
  { passages, asked, response }: Lookup,
  { details }: Statement,
  known: Map<string, DetailLocation>,
): readonly Placed[] {
  const lookedUp = details.filter((detail) => detail.kind !== "number" || saysSomething(detail.mention));
  return lookedUp.map((detail) => {
    // The days of "6 to 19 August" have one range.
    const day = detail.kind === "date" && detail.mention.kind === "date" ? detail.mention.day : "";
    const key = `${detail.kind} ${response.text.slice(detail.start, detail.end)} ${day}`;
    const where = known.get(key) ?? findDetail(passages, asked, detail, response.text);
    known.set(key, where);
    return { detail, where };
  });
}

interface Around {
  /** The words of the question. */
  readonly question: ReadonlySet<string>;
  /** The numbers that are somewhere, of the statement and of the one before it. */
  readonly known: readonly Shown[];
}

/** A shorter statement is an answer that only the question makes whole. */
const fewestKeys = 3;
const speaksOfText =
  /\b(?:passage|text|document|context|article|information)\b.*(?:\b(?:not|no)\b|n['’]t\b)|(?:\b(?:not|no)\b|n['’]t\b).*\b(?:mention|state|specif|provid|contain|say|information)/i;
const longestRead = 300;

function checkStatement(
  lookup: Lookup,
  statement: Statement,
  placed: readonly Placed[],
  { question, known }: Around,
): readonly Finding[] {
  const { passages } = lookup;
  if (speaksOfText.test(statement.text.slice(0, longestRead))) return [];
  if (statement.unread !== null) return [toFinding(null, "not_checkable", statement, statement.unread)];
  const verbatim = findVerbatim(passages, statement, placed);
  if (verbatim !== null) return [supported(lookup, statement, verbatim)];
  const best =
    findBestPassage(passages, statement.keys, statement.words) ??
    (statement.keys.size < fewestKeys
      ? findBestPassage(passages, statement.keys.union(question), statement.words)
      : null);
  const whole = statement.keys.size === 0 ? { ...statement, keys: question } : statement;
  const missing = placed.filter(({ where }) => where === "missing");
  const judgeMissing =
    missing.length === 0 ? null : createMissingJudge(lookup, { statement: whole, best, placed, known });
  const findings = [
    ...checkOpposite(lookup, whole, best),
    ...missing.flatMap(({ detail }) => judgeMissing?.(detail) ?? []),
  ];
  return findings.length > 0 ? findings : judgeTogether(lookup, whole, placed, best);
}

/** Of passages that have all details, so many are tried. */
const mostTried = 20;

/** Nothing is missing: whether all that was looked up is together, in a passage about the same. */
function judgeTogether(
  lookup: Lookup,
  statement: Statement,
  placed: readonly Placed[],
  best: BestPassage | null,
): readonly Finding[] {
  const { passages, source } = lookup;
  const found = placed.flatMap(({ where }) => (typeof where === "string" ? [] : [where]));
  if (found.length === 0) {
    // Without a detail, a name is enough to support what the best passage says of it.
    const isSupported = best !== null && placed.length === 0 && statement.words.some(isNameInside);
    return isSupported && isSupportedBy(passages, best.index, statement)
      ? [supported(lookup, statement, best.index)]
      : [];
  }
  const together = intersect([...new Set(found)]);
  const isWhole = found.length === placed.length;
  const index = isWhole
    ? together.slice(0, mostTried).find((one) => isSupportedBy(passages, one, statement))
    : undefined;
  if (index !== undefined) return [supported(lookup, statement, index)];
  const reason = !isWhole
    ? `${source} doesn't have all of its details as they are written.`
    : together.length === 0
      ? `${source} has its details, but not together.`
      : together.slice(0, mostTried).some((one) => sharesWords(passages, statement, one))
        ? `${source} has its details together, but in other words.`
        : `${source} has its details in one passage, which shares few of its words.`;
  return [toFinding(null, "not_checkable", statement, reason)];
}

/** Whether a passage has half of the words of a statement, so that it says the same in other words. */
function sharesWords({ byKey }: Passages, { keys }: Statement, index: number): boolean {
  const shared = [...keys].filter((key) => byKey.get(key)?.includes(index) === true).length;
  return shared > 0 && shared >= leastShared * keys.size;
}

const fewestVerbatim = 3;
const longestVerbatim = 400;

/** The passage that is a statement word for word, from its first word to its last, with its signs and units. */
function findVerbatim(passages: Passages, { words }: Statement, placed: readonly Placed[]): number | null {
  if (words.length < fewestVerbatim || words.length > longestVerbatim) return null;
  const { byNorm, all } = passages;
  const lists = words.map(({ norm }) => byNorm.get(norm) ?? []);
  const rarest = lists.reduce((fewest, list) => (list.length < fewest.length ? list : fewest));
  const index = rarest.slice(0, mostTried).find((one) => {
    const there = all[one]?.words ?? [];
    return (
      there.length === words.length &&
      there.every(({ norm }, at) => norm === words[at]?.norm) &&
      placed.every(({ where }) => typeof where !== "string" && where.includes(one)) &&
      isAssertion(passages, one)
    );
  });
  return index ?? null;
}

function supported({ passages, source }: Lookup, statement: Statement, index: number): Finding {
  const evidence = spanOf(passages.text, passages.all[index] ?? { start: 0, end: 0 });
  return toFinding(null, "supported", statement, `${source} has its details together.`, [evidence]);
}
