import { createRequire } from "node:module";

/**
 * The encoder's time grows with the square of a run without spaces, and some scripts are written without any. Text is
 * therefore counted in pieces, cut at a space where there is one: a piece cut elsewhere counts for one token more at most.
 */
const pieceLength = 1_000;

/** Words repeat, so the counts of short ones are kept. (V8 copies a slice this short; a longer one would hold its text.) */
const longestKeptWord = 12;
const mostKeptWords = 20_000;

/** Text that merely looks like a control token (`<|endoftext|>`) is text. */
const plainText = { disallowedSpecial: new Set<string>() };

type Encoder = typeof import("gpt-tokenizer/encoding/o200k_base");

let encoder: Encoder | undefined;

/** Loaded with the first count: it takes 100 ms, and most files need none. */
function getEncoder(): Encoder {
  encoder ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as Encoder;
  return encoder;
}

/** Loads what counting needs as soon as there is nothing else to do, so that the first request does not wait for it. */
export function prepareToCount(): void {
  setImmediate(getEncoder);
}

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

function endOfPiece(text: string, start: number): number {
  const end = start + pieceLength;
  if (end >= text.length) return text.length;
  const piece = text.slice(start, end);
  const space = piece.lastIndexOf(" ");
  if (space > 0) return start + space;
  const splitsPair = /[\uD800-\uDBFF]$/.test(piece);
  return splitsPair ? end - 1 : end;
}

function countPiece(piece: string): number {
  let tokens = 0;
  for (let start = 0; start < piece.length; ) {
    const end = endOfWord(piece, start);
    tokens += countWord(piece.slice(start, end));
    start = end;
  }
  return tokens;
}

/**
 * Up to the next single space between two words. A token of this vocabulary always begins there, whatever stands around
 * it, so that the counts of words add up to that of their text.
 */
function endOfWord(text: string, start: number): number {
  let space = text.indexOf(" ", start + 1);
  while (space !== -1 && (isSpace(text, space - 1) || isSpace(text, space + 1))) space = text.indexOf(" ", space + 1);
  return space === -1 ? text.length : space;
}

const keptCounts = new Map<string, number>();

function countWord(word: string): number {
  if (word.length > longestKeptWord) return getEncoder().countTokens(word, plainText);
  const kept = keptCounts.get(word);
  if (kept !== undefined) return kept;
  const tokens = getEncoder().countTokens(word, plainText);
  if (keptCounts.size === mostKeptWords) keptCounts.clear();
  keptCounts.set(word, tokens);
  return tokens;
}

/** Whether there is white space; the end of the text counts as some. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f ? false : /^\s?$/.test(text.charAt(at));
}
