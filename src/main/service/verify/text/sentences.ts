import type { TextSource } from "#contract";
import type { Range, Text } from "../types.ts";

const closers = "\"'”’»)]*_`";
const enders = ".!?…。！？";
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
    if (!mayEnd(text.charCodeAt(at))) continue;
    const char = text.charAt(at);
    if (char === " " && isUnmarkedEnd(text, at)) {
      pushTrimmed(ranges, text, start, at);
      start = at + 1;
      continue;
    }
    if (char !== "\n" && !enders.includes(char)) continue;
    const end = char === "\n" ? at : endOfSentence(text, at);
    if (end === null) continue;
    pushTrimmed(ranges, text, start, end);
    start = Math.max(end, at + (char === "\n" ? 1 : 0));
    at = Math.max(at, end - 1);
  }
  pushTrimmed(ranges, text, start, text.length);
  return ranges;
}

/** Whether a sentence may end at a character: most are letters, which is seen at a glance. */
function mayEnd(code: number): boolean {
  return code < 64 || code >= 0x2026;
}

const asking = new Set("Who Whose What When Where Which Why How".split(" "));

/** "…was formed in 1999 Which band is older?": a question may follow a sentence that lacks its full stop. */
function isUnmarkedEnd(text: string, at: number): boolean {
  const first = text.charCodeAt(at + 1);
  if (first !== 87 && first !== 72) return false;
  const space = text.indexOf(" ", at + 1);
  if (space === -1 || space - at > 7 || !asking.has(text.slice(at + 1, space))) return false;
  const before = text.charAt(at - 1);
  return (
    (isLower(before) || isDigit(before) || before === " ") &&
    isLower(text.charAt(space + 1)) &&
    !isUpper(wordBefore(text, at).charAt(0))
  );
}

/** Where a sentence ends whose mark stands at `at`; null if the mark ends none. */
function endOfSentence(text: string, at: number): number | null {
  let end = at + 1;
  while (end < text.length && enders.includes(text.charAt(end))) end += 1;
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

function isGluedSentence(word: string, text: string, at: number, end: number): boolean {
  if (isDigit(text.charAt(end)))
    return word.length > 2 && isLower(text.charAt(at - 1)) && !abbreviations.has(word.toLowerCase());
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
