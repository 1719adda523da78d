import {
  type ClockTime,
  isCalendarWord,
  isSameTime,
  monthPattern,
  type NumberMention,
  readClockTimes,
  type Word,
} from "../../text/index.ts";
import type { Finding, Range } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { findWord, separates } from "./number-places.ts";
import { isYear } from "./numbers.ts";

/** Numbers and times of a passage, so many of them are weighed. */
const mostCandidates = 120;
const reach = 8;
const fewestAsked = 2;
/** The share of the question that the sentence of the better number has to have. */
const leastCovered = 0.25;
const leastCoveredElsewhere = 0.6;

type Said = Pick<Candidate, "range" | "value" | "kind">;

/** A number or a time of the passage with the words of the question around it. */
interface Candidate {
  readonly range: Range;
  readonly value: string;
  readonly kind: string;
  readonly sentence: number;
  readonly at: number;
  /** Of its part of the sentence, and of the whole. */
  readonly near: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
  /** What it counts: the next words; empty where none follows. */
  readonly counted: ReadonlySet<string>;
}

/** What a question asks by: the roots of its words, and those of its names. */
interface Asked {
  readonly roots: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** The last word, which mostly is what it is asked of. */
  readonly last: string;
  /** What "how many" counts. */
  readonly counted: ReadonlySet<string>;
}

/**
 * "How long is the frame guaranteed?": where the passage has several of a kind, the one that stands with the words of the
 * question, and not another that lacks some of them and has no others.
 */
export function rankNumbers(context: Context): readonly Finding[] {
  const { answer, evidence, question, subject } = context;
  if (question.kind !== "when" && question.kind !== "how-many") return [];
  if (answer.isAbstaining || context.numbers.length > mostCandidates) return [];
  const asked = readAsked(question.words);
  // "When do boats come back?": what they all are of doesn't tell which.
  if (asked.roots.size < fewestAsked && asked.counted.size === 0) return [];
  const isDirect = !isIndirect(question.words);
  const candidates = readCandidates(context, asked);
  if (candidates.length < 2 || candidates.length > mostCandidates) return [];
  const said = findSaid(context, candidates);
  if (said === null) return [];
  const own = candidates.filter(({ value, kind }) => value === said.value && kind === said.kind);
  const rivals = candidates.filter(
    (one) => one.value !== said.value && one.kind === said.kind && !isGiven(evidence, one),
  );
  const better = rivals.find((rival) => own.every((one) => isBetter(asked, rival, one, isDirect)));
  if (!better || own.length === 0) return [];
  const text = evidence.source.text.text;
  const shown = quote(text.slice(better.range.start, better.range.end));
  const reason = `${subject} has ${shown} for this; ${quote(answer.text.text.slice(said.range.start, said.range.end))} is said of something else.`;
  return [createFinding("contradicted", said.range, reason, [sentenceSpan(evidence, better.at)])];
}

const orders = new Set(
  "first second third last next previous later earlier before after between until since latest newest oldest total altogether together all both more less older younger difference apart not".split(
    " ",
  ),
);

/** What the question itself has is not what it asks for. */
function isGiven({ asked, words }: Evidence, { at }: Candidate): boolean {
  return asked.has(words[at]?.key ?? "");
}

/** Whether the question goes by way of something else ("the year that the man who … was born"), or wants more than one number. */
function isIndirect(words: readonly Word[]): boolean {
  return words.some(
    ({ norm }, at) =>
      orders.has(norm) || (at > 2 && at + 1 < words.length && /^(that|who|whose|whom|where|when)$/.test(norm)),
  );
}

function readAsked(words: readonly Word[]): Asked {
  const telling = words.filter(
    ({ norm, isFunction, isNeutral, isNumber }) =>
      !isFunction && !isNeutral && !isNumber && !/^(many|much|long|old|far)$/.test(norm),
  );
  const how = words.findIndex(({ norm }, at) => norm === "how" && words[at + 1]?.norm === "many");
  return {
    roots: new Set(telling.map(({ root }) => root)),
    names: new Set(telling.filter(({ isCapital, isFirst }) => isCapital && !isFirst).map(({ root }) => root)),
    last: telling.at(-1)?.root ?? "",
    counted: how === -1 ? new Set() : readCounted(words, how + 2),
  };
}

const longestCounted = 3;

/** The roots of "inactive volcanoes" from their place on. */
function readCounted(words: readonly Word[], from: number): ReadonlySet<string> {
  const counted = new Set<string>();
  for (const { isFunction, root, isNeutral, isNumber } of words.slice(from, from + longestCounted)) {
    if (isFunction || isNumber) break;
    if (!isNeutral) counted.add(root);
  }
  return counted;
}

/** The one number of a kind that the response has, and the question has not. */
function findSaid({ answer }: Context, candidates: readonly Candidate[]): Said | null {
  const { text } = answer.text;
  const times = readClockTimes(text);
  if (times.length > 0) {
    const [time] = times;
    if (!time || times.length > 1) return null;
    const known = candidates.find(({ kind, value }) => kind === "time" && isSameTime(time, toTime(value)));
    return known ? { range: time, value: known.value, kind: "time" } : null;
  }
  const said = answer.numbers.filter(
    ({ isInPassage, isAsked, mention }) => isInPassage && !isAsked && mention.kind === "cardinal",
  );
  const [only] = said;
  if (!only || said.some(({ mention }) => mention.value !== only.mention.value)) {
    const years = said.filter(({ mention }) => isYear(mention));
    if (years.length !== 1 || !years[0] || said.length > 2) return null;
    return toSaid(years[0].mention, text);
  }
  return toSaid(only.mention, text);
}

function toSaid(mention: NumberMention, text: string): Said {
  const range = { start: mention.start, end: mention.unit?.end ?? mention.end };
  return { range, value: String(mention.value), kind: kindOf(mention, text) };
}

function toTime(minutes: string): ClockTime {
  return { start: 0, end: 0, minutes: Number(minutes), half: null };
}

const month = new RegExp(`^(?:st|nd|rd|th)?(?: of)? ${monthPattern}`, "i");

/** Years with years, days of a month with such days, kilometres with kilometres. */
function kindOf(number: NumberMention, text: string): string {
  const { end, unit, isPercent, currency, value, isWord } = number;
  if (isYear(number)) return "year";
  if (value <= 31 && !isWord && month.test(text.slice(end, end + 12))) return "day";
  if (isPercent) return "percent";
  if (currency) return currency;
  if (unit) return unit.unit.dimension;
  return "count";
}

function readCandidates(context: Context, asked: Asked): readonly Candidate[] {
  const { evidence, numbers } = context;
  const { text } = evidence.source.text;
  const times = readClockTimes(text).map((time) => ({ range: time, value: String(time.minutes), kind: "time" }));
  const counted = numbers
    // "One" mostly stands for a thing that was named.
    .filter(({ kind, value, isWord }) => kind === "cardinal" && !(isWord && value === 1))
    .map((number) => ({
      range: { start: number.start, end: number.unit?.end ?? number.end },
      value: String(number.value),
      kind: kindOf(number, text),
    }));
  return [...times, ...counted]
    .slice(0, mostCandidates + 1)
    .map((one) => ({ ...one, ...readSurroundings(evidence, asked, one.range) }));
}

function readSurroundings(
  { words, sentences, source }: Evidence,
  { roots }: Asked,
  { start, end }: Range,
): Pick<Candidate, "near" | "around" | "counted" | "sentence" | "at"> {
  const { text } = source.text;
  const first = findWord(words, start);
  let last = first;
  while (words[last + 1] && (words[last + 1]?.start ?? end) < end) last += 1;
  const sentence = words[first]?.sentence ?? -1;
  const near = new Set<string>();
  for (const step of [-1, 1]) {
    const from = step < 0 ? first : last;
    for (let at = from + step; Math.abs(at - from) <= reach; at += step) {
      const [word, nearer] = [words[at], words[at - step]];
      if (!word || !nearer || word.sentence !== sentence) break;
      const gap = step < 0 ? text.slice(word.end, nearer.start) : text.slice(nearer.end, word.start);
      if (separates(gap, word, step)) break;
      if (word.isNumber && !isCalendarWord(nearer.norm) && Math.abs(at - from) > 1) break;
      const root = word.root;
      if (roots.has(root)) near.add(root);
    }
  }
  const around = new Set((sentences.get(sentence) ?? []).map(({ root }) => root).filter((root) => roots.has(root)));
  const counted =
    text.charAt(end) === " " || text.charAt(end) === "-" ? readCounted(words, last + 1) : new Set<string>();
  return { near, around, counted, sentence, at: first };
}

/** Whether one number stands with words of the question that another lacks, and the other with none that it lacks. */
function isBetter(
  { roots, names, counted, last }: Asked,
  rival: Candidate,
  own: Candidate,
  isDirect: boolean,
): boolean {
  // Of two counts, the one of what is asked for; one that stands alone may count the same.
  if (counted.size > 0 && rival.kind === "count" && own.counted.size > 0 && !sharesAny(own.counted, counted))
    return sharesAny(rival.counted, counted);
  const gained = without(rival.near, own.near);
  const lost = without(own.near, rival.near);
  if (gained.length === 0 || !isDirect) return false;
  const covered = rival.around.size / roots.size;
  if (rival.sentence !== own.sentence)
    return covered >= leastCoveredElsewhere && lost.length === 0 && without(own.around, rival.around).length === 0;
  if (covered < leastCovered) return false;
  // "… the frame for ten years and the saddle for two": what stands before the first may go for both.
  if (rival.at < own.at) return lost.length === 0 && gained.includes(last);
  return (
    lost.length === 0 ||
    (lost.length <= gained.length && sharesAny(names, new Set(gained)) && !sharesAny(names, new Set(lost)))
  );
}

function sharesAny(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((root) => others.has(root));
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...some].filter((root) => !others.has(root));
}
