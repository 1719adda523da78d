import type { TextSource } from "#contract";
import type { Range, Text } from "../types.ts";

const closers = "\"'”’»)]*_`";
const wideEnders = "…。！？";
/** Words that end in a dot without ending a sentence. */
const abbreviations: ReadonlySet<string> = new Set(
  "mr mrs ms dr prof sr jr st vs etc inc ltd co corp no vol fig approx ca cf al gen col lt sgt capt rev hon gov sen rep pres dept est ed eds pp op mt ft jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e u.s u.k d.c".split(
    " ",
  ),
);

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
    if (mayAsk(text, at, code) && isUnmarkedEnd(text, at)) {
      pushTrimmed(ranges, text, start, at);
      start = at;
      continue;
    }
    if (code !== newline && !isEnder(code)) continue;
    const end = char === "\n" ? at : endOfSentence(text, at);
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
function isUnmarkedEnd(text: string, at: number): boolean {
  const start = text.charAt(at) === " " ? at + 1 : at;
  const space = text.indexOf(" ", start);
  if (space === -1 || space - start > longestAsking || !asking.has(text.slice(start, space))) return false;
  const before = text.charAt(at - 1);
  return (isLower(before) || isDigit(before) || before === " ") && endsInQuestion(text, space);
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

/** Where a sentence ends whose mark stands at `at`; null if the mark ends none. */
function endOfSentence(text: string, at: number): number | null {
  let end = at + 1;
  while (isEnder(text.charCodeAt(end))) end += 1;
  while (end < text.length && closers.includes(text.charAt(end))) end += 1;
  if (end >= text.length || !".".includes(text.charAt(at)) || end > at + 1) {
    return isGluedInside(text, at, end) ? null : end;
  }
  const next = text.charAt(end);
  const word = wordBefore(text, at);
  if (isSpace(next)) return isAbbreviated(word, text, end) ? null : end;
  return isGluedSentence(word, text, at, end) ? end : null;
}

/** A mark with a letter or a digit on both sides stands inside a word: "?page", "e.g.x". */
function isGluedInside(text: string, at: number, end: number): boolean {
  if (end >= text.length || end > at + 1) return false;
  const next = text.charAt(end);
  return text.charAt(at) === "." ? !isSpace(next) : isLower(next);
}

function isAbbreviated(word: string, text: string, end: number): boolean {
  if (word === "") return false;
  const nextWord = firstOther(text, end);
  // "No." and "St." end a sentence only where a capital follows that no name or number could be.
  if (abbreviations.has(word.toLowerCase())) return !/^(The|This|It|He|She|They|In|A|An|But|And)$/.test(nextWord);
  // An initial ("J. Smith"), and a list's number at the start of a line ("1. First").
  if (word.length === 1 && isUpper(word)) return isUpper(nextWord.charAt(0));
  return isLower(nextWord.charAt(0)) && word.includes(".");
}

const gluedWord = /^(which|what|who|whose|when|where|how|are|was|were|did|the|he|she) /;

function isGluedSentence(word: string, text: string, at: number, end: number): boolean {
  if (isDigit(text.charAt(end)))
    return word.length > 2 && isLower(text.charAt(at - 1)) && !abbreviations.has(word.toLowerCase());
  if (gluedWord.test(text.slice(end, end + longestAsking))) return word.length > 2 && isLower(text.charAt(at - 1));
  if (!isUpper(text.charAt(end)) || !(isLower(text.charAt(end + 1)) || text.startsWith("A ", end))) return false;
  const before = text.charAt(at - 1);
  if (isDigit(before) || isSpace(before) || closers.includes(before)) return true;
  return word.length > 1 && !word.includes(".") && isLower(before) ? true : isAllUpper(word);
}

function wordBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < 30 && !isSpace(text.charAt(start - 1)) && !"(\"'“".includes(text.charAt(start - 1)))
    start -= 1;
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

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\u00a0" || char === "\u3000";
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function isUpper(char: string): boolean {
  return char !== char.toLowerCase();
}

function isLower(char: string): boolean {
  return char !== char.toUpperCase();
}

function isAllUpper(word: string): boolean {
  return word.length > 1 && /^\p{Lu}+$/u.test(word);
}
