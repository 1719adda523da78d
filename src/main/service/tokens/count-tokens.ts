import { getEncoder, plainText } from "./encoder.ts";
import { endOfPiece } from "./end-of-piece.ts";
import { addToHash, createWordTable, emptyHash } from "./word-table.ts";

/** Words repeat, so the counts of all but very long ones are kept. */
const longestKeptWord = 40;
const kept = createWordTable();
const space = 0x20;

/** How many tokens of the o200k vocabulary the text has. */
export function countTokens(text: string): number {
  return countTokensUpTo(text, Number.POSITIVE_INFINITY);
}

/** The same, but stops counting once it is over `limit`: the answer is then some number over it. */
export function countTokensUpTo(text: string, limit: number): number {
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= limit; ) {
    const end = endOfPiece(text, start);
    tokens += countPiece(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/**
 * Words end at a single space between two others. A token of this vocabulary always begins there, whatever stands around
 * it, so that the counts of words add up to that of their text.
 */
function countPiece(piece: string): number {
  let tokens = 0;
  let start = 0;
  let hash = emptyHash;
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code === space && at > start && !isSpace(piece, at - 1) && !isSpace(piece, at + 1)) {
      tokens += countWord(piece, start, at, hash);
      start = at;
      hash = emptyHash;
    }
    hash = addToHash(hash, code);
  }
  return start < piece.length ? tokens + countWord(piece, start, piece.length, hash) : tokens;
}

function countWord(text: string, start: number, end: number, hash: number): number {
  const ofNumber = countNumber(text, start, end);
  if (ofNumber !== null) return ofNumber;
  if (end - start > longestKeptWord) return getEncoder().countTokens(text.slice(start, end), plainText);
  const known = kept.find(text, start, end, hash);
  if (known !== null) return known;
  const word = text.slice(start, end);
  const tokens = getEncoder().countTokens(word, plainText);
  kept.keep(word, hash, tokens);
  return tokens;
}

/**
 * The tokens of a number, such as ` 1319.`: one for its space, one for three digits each, one for the mark after it. Null for
 * what is none. There is no end of numbers, so that keeping their counts would be of little use.
 */
function countNumber(text: string, start: number, end: number): number | null {
  const first = text.charCodeAt(start) === space ? start + 1 : start;
  let at = first;
  while (at < end && isDigit(text.charCodeAt(at))) at += 1;
  const digits = at - first;
  if (digits === 0) return null;
  if (at < end && isEndMark(text.charCodeAt(at))) at += 1;
  return at < end ? null : Math.ceil(digits / 3) + (first - start) + (at - first - digits);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isEndMark(code: number): boolean {
  return code === 0x2c || code === 0x2e || code === 0x3f;
}

/** Whether there is white space; the end of the text counts as some. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f ? false : /^\s?$/.test(text.charAt(at));
}
