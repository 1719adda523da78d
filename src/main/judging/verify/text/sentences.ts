import type { TextSource } from "#contract";
import type { Range, Text } from "../types.ts";
import { isAbbreviated, isDigit, isLower, isSpace, isUnit, isUpper } from "./abbreviations.ts";
import { monthNumber } from "./dates.ts";

const closers = "\"'”’»)]*_`";
const wideEnders = "…。！？";
/** A text with the ranges of its sentences. One pass, so that its time grows with the text alone. */
export function readText(source: TextSource, text: string): Text {
  return { source, text, sentences: splitSentences(text) };
}

/**
 * Sentences end at a full stop, a question or exclamation mark, and at a line break; a row of a table is one. A full stop
 * that is glued to the next sentence ("in the USA.Which magazine") ends one, too; those of abbreviations, initials and
 * numbers do not.
 */
function splitSentences(text: string): readonly Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === bar && isRowStart(text, at)) at = endOfLine(text, at) - 1;
    if (code !== newline && !isEnder(code)) continue;
    const end = code === newline ? at : endOfSentence(text, start, at);
    if (end === null) continue;
    pushTrimmed(ranges, text, start, end);
    start = Math.max(end, at + (code === newline ? 1 : 0));
    at = Math.max(at, end - 1);
  }
  pushTrimmed(ranges, text, start, text.length);
  return ranges;
}

const [newline, exclamation, dot, question, bar] = [10, 33, 46, 63, 124];

/** Whether a bar begins a line: that of a row of a Markdown table. */
function isRowStart(text: string, bar: number): boolean {
  let at = bar - 1;
  while (text.charAt(at) === " ") at -= 1;
  return at < 0 || text.charAt(at) === "\n";
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function isEnder(code: number): boolean {
  if (code < 0x2026) return code === dot || code === exclamation || code === question;
  return wideEnders.includes(String.fromCharCode(code));
}

/** Where the sentence from `start` ends whose mark is at `at`; null if the mark ends none. */
function endOfSentence(text: string, start: number, at: number): number | null {
  let end = at + 1;
  while (isEnder(text.charCodeAt(end))) end += 1;
  const marks = end - at;
  while (end < text.length && closers.includes(text.charAt(end)) && !isPossessive(text, end)) end += 1;
  const isOneDot = text.charAt(at) === "." && marks === 1;
  if (end >= text.length || !isOneDot || end > at + 1) {
    return isGluedInside(text, at, end) || isInterrupted(text, at, marks, end) ? null : end;
  }
  const word = wordBefore(text, start, at);
  const before = wordBefore(text, start, at - word.length - 1);
  if (isSpace(text.charAt(end))) {
    const next = firstOther(text, end);
    return isAbbreviated(before, word, next) || isDay(word, next) ? null : end;
  }
  return isGluedSentence(before, word, text, at, end) ? end : null;
}

/** "am 14. Mai", "vom 12. bis 14." */
function isDay(word: string, next: string): boolean {
  return /^\d{1,2}$/.test(word) && (monthNumber(next) !== null || isLower(next.charAt(0)));
}

/** "R.E.M.'s" */
function isPossessive(text: string, at: number): boolean {
  return "'’".includes(text.charAt(at)) && isLower(text.charAt(at + 1));
}

/** A sentence continues after the mark of a name ("Ahoy! is") or of what is quoted ("“Who Is It?” by"). */
function isInterrupted(text: string, at: number, marks: number, end: number): boolean {
  if (!isSpace(text.charAt(end)) || text.slice(end, end + 3).includes("\n")) return false;
  const first = firstOther(text, end).charAt(0);
  const isQuoted = end > at + marks;
  return isLower(first) ? isQuoted || text.charAt(at) === "!" : isQuoted && ",;(".includes(first);
}

/** A mark with a letter or a digit on both sides is inside a word: "?page", "e.g.x". */
function isGluedInside(text: string, at: number, end: number): boolean {
  if (end >= text.length || end > at + 1) return false;
  const next = text.charAt(end);
  return text.charAt(at) === "." ? !isSpace(next) : isLower(next);
}

const longestGluedWord = 7;
const gluedWord = /^(which|what|who|whose|when|where|how|are|was|were|did|the|he|she) /;
/** "…lifestyle choices.BUST is", "…an American singer.I Never": capitals that begin a sentence, not the end of a file's name. */
const gluedCapitals =
  /^(?!(?:NET|JS|COM|ORG|PDF|TXT|CSV|EXE|MD|HTML|JSON|XML|PNG|JPG)\b)\p{Lu}[\p{Lu}\d]* \S|^\p{Lu}\. \p{Lu}/u;
const longestGlued = 16;
const longestWord = 30;

function isGluedSentence(before: string, word: string, text: string, at: number, end: number): boolean {
  const isWord = word.length > 2 && isLower(text.charAt(at - 1));
  if (isDigit(text.charAt(end))) return isWord && !isAbbreviated(before, word, text.slice(end, end + 1));
  if (gluedWord.test(text.slice(end, end + longestGluedWord))) return isWord;
  if (!isUpper(text.charAt(end))) return false;
  if (!isLower(text.charAt(end + 1)) && !text.startsWith("A ", end)) {
    return (isWord || /(?:^|\D)\d{4}$/.test(word)) && gluedCapitals.test(text.slice(end, end + longestGlued));
  }
  const last = text.charAt(at - 1);
  if (isDigit(last) || isSpace(last) || closers.includes(last)) return true;
  if (word.length === 1) return isUnit(before, word);
  return (isLower(last) && (!word.includes(".") || /['’]s$/.test(word))) || isAllUpper(word);
}

function wordBefore(text: string, from: number, at: number): string {
  const least = Math.max(from, at - longestWord);
  let start = at;
  while (start > least && !isSpace(text.charAt(start - 1)) && !"(\"'“".includes(text.charAt(start - 1))) start -= 1;
  return text.slice(start, at);
}

function firstOther(text: string, from: number): string {
  let start = from;
  while (start < text.length && start - from < 20 && isSpace(text.charAt(start))) start += 1;
  let end = start;
  while (end < text.length && end - start < 20 && !isSpace(text.charAt(end))) end += 1;
  return text.slice(start, end);
}

function pushTrimmed(ranges: Range[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  if (start < end) ranges.push({ start, end });
}

function isAllUpper(word: string): boolean {
  return word.length > 1 && /^\p{Lu}+$/u.test(word);
}
