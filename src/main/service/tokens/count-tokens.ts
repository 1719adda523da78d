import { getEncoder, plainText } from "./encoder.ts";
import { endOfPiece } from "./end-of-piece.ts";

/** Words repeat, so the counts of all but very long ones are kept. */
const longestKeptWord = 40;
/** V8 copies a slice up to this length; a longer one holds on to the text that it is from. */
const longestCopiedSlice = 12;
const mostKeptWords = 20_000;

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
  keptCounts.set(word.length > longestCopiedSlice ? copy(word) : word, tokens);
  return tokens;
}

/** The same characters, lone surrogates included, with a memory of their own. */
function copy(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}

/** Whether there is white space; the end of the text counts as some. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f ? false : /^\s?$/.test(text.charAt(at));
}
