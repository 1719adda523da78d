import { remember } from "../../remember.ts";
import { type Name, type NumberMention, readNames, type Word, wordsOf } from "../../text/index.ts";
import { numbersOf } from "../../text/numbers.ts";
import type { Reading, Text } from "../../types.ts";
import { type Evidence, isAsked, isInPassage } from "./evidence.ts";
import { findEcho } from "./find-echo.ts";
import { createFollowing, isDerived, isNumberInWords } from "./follow-numbers/index.ts";
import { agrees, type Manner, readManner, readNumbersIn } from "./numbers.ts";

/** A word of the response that states something, with where it is from. */
export interface Statement {
  readonly word: Word;
  /** Its index among the words of the response. */
  readonly at: number;
  readonly isInPassage: boolean;
  readonly isAsked: boolean;
}

/** A number of the response: whether the passage has it, or has two that it follows from, and whether the question has it. */
export interface SaidNumber {
  readonly mention: NumberMention;
  readonly isInPassage: boolean;
  readonly isAsked: boolean;
}

export interface Answer {
  readonly text: Text;
  readonly words: readonly Word[];
  readonly names: readonly Name[];
  /** Words that state something, in order; without keys of JSON, list numbers and neutral words. */
  readonly statements: readonly Statement[];
  /** By the index of a word. */
  readonly statementAt: ReadonlyMap<number, Statement>;
  readonly numbers: readonly SaidNumber[];
  /** Words that are no part of the answer, by their indexes. */
  readonly ignored: ReadonlySet<number>;
  /** Whether the response says that the text has no answer. */
  readonly isAbstaining: boolean;
}

const abstains =
  /\b(i (do not|don't|don’t) know|not (mentioned|stated|specified|given|provided|clear|said|say|enough|possible|available|able)|(does not|doesn't|doesn’t|do not|did not|didn't) (say|mention|state|specify|provide|give|contain|indicate|include)|cannot (be )?(answer|determine|say|tell)|can't (answer|determine|say|tell)|no (information|mention)|unknown|unable to|insufficient)/i;
const looksJson = /^\s*(```(json)?\s*)?[[{]/i;
const bookkeeping = new Set(["confidence", "score", "probability", "certainty", "id", "index", "rank", "step"]);

/** Reads a response. `known` are the numbers of the passage. */
export function readAnswer({ response, prompt }: Reading, evidence: Evidence, known: readonly NumberMention[]): Answer {
  const words = wordsOf(response);
  const inQuestion = new Set(evidence.source.question);
  const question = wordsOf(prompt).filter(({ sentence }) => inQuestion.has(sentence));
  const ignored = findIgnored(response, words, question);
  const asked = readNumbersIn(prompt, evidence.source.question);
  const numbers = readSaidNumbers(response, words, ignored, evidence, known, asked);
  const byStart = indexByStart(words, numbers);
  const statements: Statement[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word || ignored.has(at)) continue;
    const number = byStart.get(at);
    if (number && !isSmallCount(number, word)) {
      statements.push({ word, at, isInPassage: number.isInPassage, isAsked: number.isAsked });
      continue;
    }
    if (isSmall(word) || (word.isNeutral && !word.isNumber && !isPlace(word))) continue;
    const isThere = isInPassage(evidence, word) || isNumberInWords(word, evidence.passage);
    statements.push({ word, at, isInPassage: isThere, isAsked: isAsked(evidence, word) });
  }
  return {
    text: response,
    words,
    names: readNames(response, words).flatMap((name) => dropIgnored(name, ignored) ?? []),
    numbers,
    ignored,
    statements,
    statementAt: new Map(statements.map((statement) => [statement.at, statement])),
    isAbstaining: abstains.test(response.text.slice(0, 400)),
  };
}

/** A name that goes on after the question as it was asked begins there: "… the Velvet Underground Angus MacLise". */
function dropIgnored(name: Name, ignored: ReadonlySet<number>): Name | null {
  let { from } = name;
  while (from < name.to && ignored.has(from)) from += 1;
  return from === name.to || ignored.has(name.to - 1) ? null : { ...name, from };
}

/** An initial, or the letter of a list. */
function isSmall({ raw, isNumber }: Word): boolean {
  return raw.length === 1 && !isNumber;
}

/** Words that are no part of an answer: keys of JSON with bookkeeping, numbers of lists, and questions, above all the one that was asked. */
function findIgnored(response: Text, words: readonly Word[], question: readonly Word[]): ReadonlySet<number> {
  const ignored = new Set<number>();
  const isJson = looksJson.test(response.text.slice(0, 40));
  let isSkipping = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    if (isJson && isKey(response.text, word)) {
      isSkipping = bookkeeping.has(word.norm);
      ignored.add(at);
    } else if (isSkipping && word.isNumber) ignored.add(at);
    else if (word.isNumber && isListNumber(response.text, word)) ignored.add(at);
    else if (isInQuestion(response, word)) ignored.add(at);
  }
  const echo = findEcho(words, question);
  for (let at = echo?.from ?? 0; at < (echo?.to ?? 0); at += 1) ignored.add(at);
  return ignored;
}

function isInQuestion({ text, sentences }: Text, { sentence }: Word): boolean {
  return sentences.length > 1 && text.charAt((sentences[sentence]?.end ?? 0) - 1) === "?";
}

function readSaidNumbers(
  response: Text,
  words: readonly Word[],
  ignored: ReadonlySet<number>,
  evidence: Evidence,
  known: readonly NumberMention[],
  asked: readonly NumberMention[],
): readonly SaidNumber[] {
  const { text } = response;
  const mentions = numbersOf(response);
  if (mentions.length === 0) return [];
  const skipped = new Set([...ignored].map((at) => words[at]?.start ?? -1));
  const finders = [findAgreement(known), findAgreement(asked)] as const;
  const follows = createFollowing(evidence);
  return mentions.flatMap((mention, at) => {
    if (skipped.has(mention.start)) return [];
    const manner = readManner(text, mention);
    const isThere = finders[0](mention, manner) || isDerived(text, mention, known);
    const isAsked = finders[1](mention, manner);
    const isInPassage = isThere || (!isAsked && follows(text, mentions, at, manner));
    return [{ mention, isInPassage, isAsked }];
  });
}

/** Whether one of some numbers agrees with a said one. Each that differs is compared once, and the same question asked once. */
function findAgreement(numbers: readonly NumberMention[]): (said: NumberMention, manner: Manner) => boolean {
  const different = dropSame(numbers);
  const answers = new Map<string, boolean>();
  return (said, manner) => {
    const key = `${describeNumber(said)} ${manner}`;
    const known = answers.get(key) ?? different.some((number) => agrees(said, manner, number));
    answers.set(key, known);
    return known;
  };
}

const dropSame = remember((numbers: readonly NumberMention[]): readonly NumberMention[] => {
  return [...new Map(numbers.map((number) => [describeNumber(number), number])).values()];
});

function describeNumber({ value, step, unit, isPercent }: NumberMention): string {
  return `${value} ${step} ${unit?.unit.name ?? ""} ${isPercent}`;
}

/** "One" and "first" are seldom numbers, and "three" may count what the text lists. */
function isSmallCount({ mention, isInPassage }: SaidNumber, word: Word): boolean {
  return mention.isWord && mention.value <= 3 && (!isInPassage || word.isNeutral);
}

/** By each word of a number. */
function indexByStart(words: readonly Word[], numbers: readonly SaidNumber[]): ReadonlyMap<number, SaidNumber> {
  const found = new Map<number, SaidNumber>();
  let at = 0;
  for (const number of numbers) {
    const { start, unit } = number.mention;
    const end = Math.max(number.mention.end, unit?.end ?? 0);
    while (at < words.length && (words[at]?.start ?? 0) < start) at += 1;
    for (; at < words.length && (words[at]?.start ?? end) < end; at += 1) {
      found.set(at, number);
    }
  }
  return found;
}

function isPlace({ key }: Word): boolean {
  return key.startsWith("place:");
}

/** A key of a JSON object: a quoted word before a colon. */
function isKey(text: string, { end }: Word): boolean {
  let at = end;
  while (at < text.length && at - end < 40 && /[\w -]/.test(text.charAt(at))) at += 1;
  if (text.charAt(at) !== '"') return false;
  at += 1;
  while (text.charAt(at) === " ") at += 1;
  return text.charAt(at) === ":";
}

/** "1." or "2)" at the start of a line. */
function isListNumber(text: string, { start, end }: Word): boolean {
  const mark = text.charAt(end);
  if (mark !== "." && mark !== ")" && mark !== ":") return false;
  if (mark === "." && !/\s/.test(text.charAt(end + 1))) return false;
  let at = start - 1;
  while (at >= 0 && " (*#-".includes(text.charAt(at))) at -= 1;
  if (at >= 0 && text.charAt(at) !== "\n") return false;
  return text.slice(end + 1).trim() !== "" && end - start <= 3;
}
