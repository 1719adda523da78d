import { monthOf, type Word, wordsOf } from "../../text/index.ts";
import type { Finding, Text } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { positionsOf } from "./evidence.ts";

/** Words of their own at the start of a sentence. */
const ambiguous = new Set(["may", "march", "mar"]);
const digits = /\b(?:\d{4}[-/.](\d{1,2})[-/.]\d{1,2}|(\d{1,2})[-/.](\d{1,2})[-/.]\d{2,4})\b/g;

/** Every month that the response names has to stand in the evidence or in the prompt, as a word or in a date in digits. */
export function checkMonths(context: Context): readonly Finding[] {
  const { answer, evidence, reading, subject } = context;
  const said = answer.words.filter((word) => readMonth(word) !== 0 && !(word.isFirst && ambiguous.has(word.norm)));
  const missing = said.filter((word) => positionsOf(evidence, word).length === 0);
  if (missing.length === 0) return [];
  const inDigits = new Set([evidence.source.text, reading.prompt].flatMap(readDigits));
  if (isOtherPart(said.map(readMonth), [...evidence.sentences.values()].flat().map(readMonth))) return [];
  const known = new Set([...inDigits, ...[evidence.source.text, reading.prompt].flatMap(wordsOf).map(readMonth)]);
  return missing
    .filter((word) => !known.has(readMonth(word)) && !(isEnd(answer, word) && known.has((readMonth(word) % 12) + 1)))
    .map((word) => {
      const reason = `${subject} doesn't mention ${quote(word.raw)}.`;
      return createFinding("contradicted", { start: word.start, end: word.end }, reason);
    });
}

/** "From April to October" is the part of the year that "from November to March" leaves. */
function isOtherPart(said: readonly number[], known: readonly number[]): boolean {
  const there = new Set(known);
  const isBeside = (month: number): boolean => there.has((month % 12) + 1) || there.has(((month + 10) % 12) + 1);
  return new Set(said).size > 1 && said.every((month) => !there.has(month) && isBeside(month));
}

/** "Until the end of February" is what "from 1 March" leaves. */
function isEnd({ text }: Context["answer"], { start }: Word): boolean {
  return /\bend of $/i.test(text.text.slice(Math.max(0, start - 8), start));
}

/** 1 to 12; 0 for other words. "March" and "May" are months by their capital. */
function readMonth({ norm, isCapital }: Word): number {
  return isCapital ? monthOf(norm) : 0;
}

/** The months of dates in digits; of those that can be read in two ways, both. */
function readDigits({ text }: Text): readonly number[] {
  return [...text.matchAll(digits)]
    .flatMap((found) => found.slice(1).map(Number))
    .filter((month) => month >= 1 && month <= 12);
}
