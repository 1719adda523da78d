import type { TextSpan } from "#contract";
import { rangeOfAll } from "../compose-claims.ts";
import { spacedLetter } from "../text/scripts.ts";
import type { Finding, Range, Reading } from "../types.ts";

/** A sentence of the prompt that says how to answer. */
export interface Instruction {
  /** Where it is in the prompt. */
  readonly range: Range;
  /** Its text, with plain quotation marks: as long as it is in the prompt. */
  readonly text: string;
  /** Whether it asks for something besides what was asked before: "Then list …". */
  readonly continues: boolean;
}

/** Finds whether the response follows one kind of instruction; nothing where the sentence has none of that kind. */
export type Rule = (instruction: Instruction, reading: Reading) => readonly Finding[];

/** The response does what the instruction asks for. */
export function followed(instruction: Instruction, reading: Reading, reason: string): Finding {
  return { ...about(instruction, reading), verdict: "supported", reason };
}

/** It does not; `range` is the part of the response that is wrong, all of it by default. */
export function broken(instruction: Instruction, reading: Reading, reason: string, range?: Range): Finding {
  const finding = { ...about(instruction, reading), verdict: "contradicted" as const, reason };
  return range === undefined ? finding : { ...finding, range };
}

function about({ range }: Instruction, { prompt, response }: Reading) {
  const evidence: TextSpan = { source: "prompt", ...range, text: prompt.text.slice(range.start, range.end) };
  return { kind: "instruction" as const, range: rangeOfAll(response.text), evidence: [evidence] };
}

const conditionBefore = /\b(?:if|unless|whenever|when|otherwise|for example|e\.g\.|such as|instead of|not)\b/i;
const conditionAfter = /^[\s,;(]{0,3}(?:only )?(?:if|unless|when|whenever|where|for|or|per|each)\b/i;

/** Whether what an instruction says at `index` holds only in some case, or not at all. */
export function isConditional(text: string, index: number, length: number): boolean {
  return conditionBefore.test(text.slice(0, index)) || conditionAfter.test(text.slice(index + length));
}

const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const moreNumberWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  single: 1,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
};

/** A number as an instruction writes it; for regular expressions without a group of their own. */
export const countPattern = `(?:\\d{1,3}(?:,\\d{3})|\\d{1,5}|${[...numberWords, "fifteen", "twenty", "thirty", "forty", "fifty"].join("|")}|(?:a|one) (?:single|hundred)|a)`;

export function readCount(text: string): number {
  const plain = text.toLowerCase().replaceAll(",", "");
  if (/^\d/.test(plain)) return Number(plain);
  const last = plain.split(" ").at(-1) ?? "";
  const index = numberWords.indexOf(last);
  return index === -1 ? (moreNumberWords[last] ?? Number.NaN) : index;
}

/** The texts in quotation marks or backticks. */
export function readQuoted(text: string): string[] {
  return [...text.matchAll(/"([^"]{1,200})"|`([^`]{1,200})`|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/gu)].map(
    ([, double, tick, single]) => (double ?? tick ?? single ?? "").trim(),
  );
}

/** Where a word or phrase is by itself in a text, whatever its case; null when it does not. */
export function findWord(text: string, word: string): Range | null {
  const haystack = foldCase(text);
  const needle = foldCase(word);
  if (needle === "" || haystack.length !== text.length) return null;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!isWordUnit(haystack.charAt(at - 1)) && !isWordUnit(haystack.charAt(end))) return { start: at, end };
  }
  return null;
}

function foldCase(text: string): string {
  return text.toLowerCase().replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
}

const wordUnit = new RegExp(spacedLetter, "u");

function isWordUnit(unit: string): boolean {
  return wordUnit.test(unit);
}

const noAnswer =
  /\b(?:i (?:do not|don't|can't|cannot|can not|am unable|am not able|'m unable|'m not able|'m sorry|am sorry|apologi[sz]e)|(?:cannot|can't|could not|not possible to|impossible to|unable to) (?:be )?(?:determined?|answer(?:ed)?|say|tell|know)|does not (?:say|mention|state|specify|provide|contain)|doesn't (?:say|mention|state|specify|provide|contain)|not (?:mentioned|stated|specified|provided|given|enough information)|unknown|n\/a|no information)\b/i;

/** Whether a response says that there is no answer: then it can't have the form of one. */
export function isNoAnswer(response: string): boolean {
  return noAnswer.test(response.slice(0, 400).replaceAll("’", "'"));
}

const wrapping = " \t\r\n\"'`*_.!,;:()[]“”‘’$";
const answerLead =
  /^(?:the |my )?(?:final )?(?:answer|label|sentiment|category|classification|result|output|class|response|verdict)(?: is)?\s*[:=-]\s*/i;

/** What an answer says, without quotation marks, emphasis, a full stop or "Answer:" around it. */
export function withoutWrapping(text: string): string {
  const bare = strip(text);
  return strip(bare.replace(answerLead, ""));
}

function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.includes(text.charAt(start)) && !"[(".includes(text.charAt(start))) start += 1;
  while (end > start && wrapping.includes(text.charAt(end - 1)) && !"])".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
