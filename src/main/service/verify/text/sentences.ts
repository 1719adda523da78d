import type { TextSource } from "#contract";
import type { Range, Text } from "../types.ts";
import { isAbbreviated, isUnit } from "./abbreviations.ts";
import { isDigit, isLower, isSpace, isUpper } from "./characters.ts";

const closers = "\"'”’»)]*_`";
const wideEnders = "…。！？";
/** A text with the ranges of its sentences. One pass, so that its time grows with the text alone. */
export function readText(source: TextSource, text: string): Text {
  return { source, text, sentences: splitSentences(text) };
}

/**
 * Sentences end at a full stop, a question or exclamation mark, and at a line break. A full stop that is glued to the
 * next sentence ("in the USA.Which magazine") ends one, too; those of abbreviations, initials and numbers do not.
 */
function splitSentences(text: string): readonly Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!mayEnd(code)) continue;
    const char = text.charAt(at);
    if (mayAsk(text, at, code) && isUnmarkedEnd(text, start, at)) {
      pushTrimmed(ranges, text, start, at);
      start = at;
      continue;
    }
    if (code !== newline && !isEnder(code)) continue;
    const end = char === "\n" ? at : endOfSentence(text, start, at);
    if (end === null) continue;
    pushTrimmed(ranges, text, start, end);
    start = Math.max(end, at + (char === "\n" ? 1 : 0));
    at = Math.max(at, end - 1);
  }
  pushTrimmed(ranges, text, start, text.length);
  return ranges;
}

const [newline, space, exclamation, dot, question] = [10, 32, 33, 46, 63];

/** Whether a sentence may end at a character: at most it may not, which is seen at a glance. H and W may start a question. */
function mayEnd(code: number): boolean {
  if (code > question) return code === capitalH || code === capitalW || code >= 0x2026;
  return code === space || code === dot || code === newline || code === exclamation || code === question;
}

const [capitalA, capitalD, capitalH, capitalI, capitalW] = [65, 68, 72, 73, 87];

function isEnder(code: number): boolean {
  if (code < 0x2026) return code === dot || code === exclamation || code === question;
  return wideEnders.includes(String.fromCharCode(code));
}

/** Whether a question may begin at a character, or after it where that is a space. */
function mayAsk(text: string, at: number, code: number): boolean {
  const first = code === space ? text.charCodeAt(at + 1) : code;
  if (first === capitalH || first === capitalW) return true;
  return code === space && (first === capitalA || first === capitalD || first === capitalI);
}

const asking = new Set("Who Whose What When Where Which Why How Are Is Was Were Did Do Does".split(" "));
const longestAsking = 7;
const longestQuestion = 600;

/** "…was formed in 1999 Which band is older?": a question may follow a sentence that lacks its full stop. */
function isUnmarkedEnd(text: string, from: number, at: number): boolean {
  const start = text.charAt(at) === " " ? at + 1 : at;
  const space = text.indexOf(" ", start);
  if (space === -1 || space - start > longestAsking || !asking.has(text.slice(start, space))) return false;
  const before = text.charAt(at - 1);
  if (!(isLower(before) || isDigit(before) || before === " ") || !endsInQuestion(text, space)) return false;
  // "Who wrote the song Why Me?", "Who starred in Do the Right Thing?": part of a name.
  return !linking.test(text.slice(Math.max(0, at - 6), at)) && !beginsAsQuestion(text.slice(from, from + 40));
}

const linking = / (?:the|a|an|of|in|on|by|for|with|to|and|from|at|as|is|was|or)$/i;

function beginsAsQuestion(start: string): boolean {
  return /^\W*(?:\w+ )?(?:who|whose|whom|what|when|where|which|why|how)\b/i.test(start);
}

/** Whether the next mark that ends a sentence is a question mark. */
function endsInQuestion(text: string, from: number): boolean {
  const most = Math.min(text.length, from + longestQuestion);
  for (let at = from; at < most; at += 1) {
    const char = text.charAt(at);
    if (char === "?") return true;
    if (char === "\n" || char === "!" || (char === "." && isSpace(text.charAt(at + 1)))) return false;
  }
  return false;
}

/** Where the sentence from `start` ends whose mark stands at `at`; null if the mark ends none. */
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
  if (isSpace(text.charAt(end))) return isAbbreviated(before, word, firstOther(text, end)) ? null : end;
  return isGluedSentence(before, word, text, at, end) ? end : null;
}

/** "R.E.M.'s" */
function isPossessive(text: string, at: number): boolean {
  return "'’".includes(text.charAt(at)) && isLower(text.charAt(at + 1));
}

/** A sentence goes on after the mark of a name ("Ahoy! is") or of what is quoted ("“Who Is It?” by"). */
function isInterrupted(text: string, at: number, marks: number, end: number): boolean {
  if (!isSpace(text.charAt(end)) || text.slice(end, end + 3).includes("\n")) return false;
  const first = firstOther(text, end).charAt(0);
  const isQuoted = end > at + marks;
  return isLower(first) ? isQuoted || text.charAt(at) === "!" : isQuoted && ",;(".includes(first);
}

/** A mark with a letter or a digit on both sides stands inside a word: "?page", "e.g.x". */
function isGluedInside(text: string, at: number, end: number): boolean {
  if (end >= text.length || end > at + 1) return false;
  const next = text.charAt(end);
  return text.charAt(at) === "." ? !isSpace(next) : isLower(next);
}

const gluedWord = /^(which|what|who|whose|when|where|how|are|was|were|did|the|he|she) /;
/** "…lifestyle choices.BUST is", "…an American singer.I Never": capitals that begin a sentence, not the end of a file's name. */
const gluedCapitals =
  /^(?!(?:NET|JS|COM|ORG|PDF|TXT|CSV|EXE|MD|HTML|JSON|XML|PNG|JPG)\b)\p{Lu}[\p{Lu}\d]* \S|^\p{Lu}\. \p{Lu}/u;
const longestGlued = 16;
const longestWord = 30;

function isGluedSentence(before: string, word: string, text: string, at: number, end: number): boolean {
  const isWord = word.length > 2 && isLower(text.charAt(at - 1));
  if (isDigit(text.charAt(end))) return isWord && !isAbbreviated(before, word, text.slice(end, end + 1));
  if (gluedWord.test(text.slice(end, end + longestAsking))) return isWord;
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
