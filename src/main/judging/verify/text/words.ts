import { memoize, memoizeWord } from "../memoize.ts";
import type { Text } from "../types.ts";
import { isDigit, isPlainLetter } from "./digits.ts";
import { stemWord } from "./stem.ts";

/** Words of three letters and more that carry grammar alone; shorter ones in small letters all do. */
const functionWords: ReadonlySet<string> = new Set(
  (
    "the and but for nor with from into over under than that this these those there their they them she her his him its our " +
    "your you who whose which what when where why how are was were been has have had does did will would can could shall " +
    "should may might must not any all each every some such also only about after before while because both until per via " +
    "within without during through since between against upon among then just more most very than too own yet"
  ).split(" "),
);
const longestFunctionWord = 2;

/** One word of a text, with what it is compared by. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** As it is in the text, without a possessive ending. */
  readonly raw: string;
  /** In lower case, without diacritics, dots and apostrophes. */
  readonly norm: string;
  /** What its inflected forms share. */
  readonly key: string;
  readonly isCapital: boolean;
  readonly isNumber: boolean;
  /** Which sentence of the text it is in. */
  readonly sentence: number;
  readonly isFirst: boolean;
  /** Whether it carries grammar alone. */
  readonly isFunction: boolean;
}

/** Abbreviations with dots (U.S.), words (O'Neill, AT&T, C2H5OH), or digits with separators (1,250.5). */
const token =
  /\p{L}(?:\.\p{L})+(?!\p{L})|\p{L}[\p{L}\p{M}\p{N}]*(?:['’&]\p{L}[\p{L}\p{M}\p{N}]*)*|\p{N}+(?:[.,]\p{N}+)*[\p{L}\p{M}]*/uy;
const marks = /\p{M}/gu;
const ascii = /^[A-Za-z0-9]+$/;

/** The words of a text, read once however many checks ask for them. */
export const wordsOf: (text: Text) => readonly Word[] = memoize(readWords);

/** The same without the cache: of a short text that is asked about once. */
export function readWords({ text, sentences }: Text): readonly Word[] {
  const words: Word[] = [];
  let sentence = 0;
  let lastSentence = -1;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    if (end === at) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    while (sentence < sentences.length - 1 && at >= (sentences[sentence]?.end ?? 0)) sentence += 1;
    words.push(readWord(text.slice(at, end), at, sentence, sentence !== lastSentence));
    lastSentence = sentence;
    at = end;
  }
  return words;
}

/** Where the token ends that begins at a place; the place itself where none does. Most are of plain letters or digits, and need no pattern. */
function endOfToken(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (isPlainLetter(first)) {
    let end = at + 1;
    while (isPlainLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end))) end += 1;
    const next = text.charCodeAt(end);
    const mayGoOn = next > 127 || next === apostrophe || next === ampersand || (next === dot && end === at + 1);
    if (!mayGoOn) return end;
  } else if (isDigit(first)) {
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    const next = text.charCodeAt(end);
    const mayGoOn = next > 127 || next === dot || next === comma || isPlainLetter(next);
    if (!mayGoOn) return end;
  } else if (first < 128) {
    return at;
  }
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : at;
}

const [apostrophe, ampersand, comma, dot] = [39, 38, 44, 46];

function readWord(found: string, start: number, sentence: number, isFirst: boolean): Word {
  const { raw, norm, key, isCapital, isNumber, isFunction } = lexemeOf(found);
  const end = start + raw.length;
  return { start, end, raw, norm, key, isCapital, isNumber, sentence, isFirst, isFunction };
}

/** What a word is, wherever it is. */
type Lexeme = Pick<Word, "raw" | "norm" | "key" | "isCapital" | "isNumber" | "isFunction">;

const lexemeOf = memoizeWord((found): Lexeme => {
  const raw = stripPossessive(found);
  const first = raw.charAt(0);
  const isNumber = first >= "0" && first <= "9";
  const norm = isNumber ? raw.replaceAll(",", "").toLowerCase() : foldWord(raw);
  return {
    raw,
    norm,
    key: isNumber ? norm : stemWord(norm),
    isCapital: first !== first.toLowerCase(),
    isNumber,
    isFunction: functionWords.has(norm) || (norm.length <= longestFunctionWord && !isNumber && !isShortName(raw)),
  };
});

/** Whether a capital shows that a word is a name, or part of one: inside a sentence, and with no grammar. */
export function isNameInside({ isCapital, isFirst, isFunction, isNumber }: Word): boolean {
  return isCapital && !isFirst && !isFunction && !isNumber;
}

/** "EU", "TV" and the initials of a name, but neither "It" nor "A". */
function isShortName(raw: string): boolean {
  return raw === raw.toUpperCase() && raw !== "A" && raw !== "I";
}

/** Lower case without diacritics; the dots of abbreviations and the apostrophes go, too. */
function foldWord(raw: string): string {
  if (ascii.test(raw)) return raw.toLowerCase();
  return raw
    .normalize("NFKD")
    .replace(marks, "")
    .replace(/['’.,]/g, "")
    .replaceAll("ß", "ss")
    .toLowerCase();
}

function stripPossessive(found: string): string {
  const end = found.length - 2;
  if (end < 1) return found;
  const mark = found.charAt(end);
  const isPossessive =
    (mark === "'" || mark === "’") && (found.charAt(end + 1) === "s" || found.charAt(end + 1) === "S");
  return isPossessive ? found.slice(0, end) : found;
}
