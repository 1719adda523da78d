import { readQuotations, type Word } from "../../text/index.ts";
import { firstFrom } from "../../text/ranges.ts";
import type { Finding, Range } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, isInPassage } from "./evidence.ts";

/** Shorter ones are titles and words set apart, which the names' check and the answer's look at. */
const fewestWords = 4;

/** What the response quotes has to stand in the evidence word for word; "…" leaves something out. */
export function checkQuotations(context: Context): readonly Finding[] {
  const { answer, subject } = context;
  return readQuotations(answer.text.text).flatMap((range) => {
    const parts = splitAtGaps(context, range);
    if (parts.reduce((sum, words) => sum + words.length, 0) < fewestWords) return [];
    if (parts.every((words) => isIn(context, words)) || isAnswerInMarks(context, range, parts)) return [];
    const reason = `${subject} doesn't say ${quote(answer.text.text.slice(range.start, range.end))} in these words.`;
    return [createFinding("contradicted", range, reason)];
  });
}

/** An answer may stand in quotation marks as a whole, in the text's words and in an order of its own. */
function isAnswerInMarks(
  { answer, evidence }: Context,
  { start, end }: Range,
  parts: readonly (readonly Word[])[],
): boolean {
  const { text } = answer.text;
  const isJson = /^\s*(?:```(?:json)?\s*)?[[{]/.test(text);
  if (!isJson && /[\p{L}\p{N}]/u.test(text.slice(0, start) + text.slice(end))) return false;
  return parts.flat().every((word) => word.isFunction || isInPassage(evidence, word) || evidence.asked.has(word.key));
}

function splitAtGaps({ answer }: Context, { start, end }: Range): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  let last = start;
  for (let at = firstFrom(answer.words, start); at < answer.words.length; at += 1) {
    const word = answer.words[at];
    if (word === undefined || word.end > end) break;
    if (answer.ignored.has(at)) continue;
    const gap = answer.text.text.slice(last, word.start);
    if (gap.includes("…") || gap.includes("...") || gap.includes("[")) parts.push([]);
    parts.at(-1)?.push(word);
    last = word.end;
  }
  return parts.filter((words) => words.length > 0);
}

function isIn({ evidence, question }: Context, words: readonly Word[]): boolean {
  const first = words[0];
  if (!first) return true;
  if (question.words.some((_, at) => startsWith(question.words, at, words))) return true;
  return startsOf(evidence, first).some((at) => startsWith(evidence.words, at, words));
}

function startsOf(evidence: Evidence, { key }: Word): readonly number[] {
  return evidence.positions.get(key) ?? [];
}

function startsWith(words: readonly Word[], at: number, part: readonly Word[]): boolean {
  return part.every(({ norm }, index) => words[at + index]?.norm === norm);
}
