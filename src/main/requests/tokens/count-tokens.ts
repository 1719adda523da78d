import { type ChatMessage, type ContentPart, messageText } from "#contract";
import { countPictureTokens } from "./picture-tokens.ts";
import { countEncoded, decodeEach } from "./tokenizer.ts";
import { addToHash, createWordTable, emptyHash } from "./word-table.ts";

/**
 * The encoder's time grows with the square of a run without spaces, and some scripts are written without any. Text is
 * therefore encoded in pieces, cut at a space where there is one: a piece cut elsewhere makes one token more at most.
 */
const longestPiece = 1_000;

/** Where the piece of the text that begins at `start` ends. */
function endOfPiece(text: string, start: number): number {
  const end = start + longestPiece;
  if (end >= text.length) return text.length;
  const piece = text.slice(start, end);
  const space = piece.lastIndexOf(" ");
  if (space > 0) return start + space;
  const splitsPair = /[\uD800-\uDBFF]$/.test(piece);
  return splitsPair ? end - 1 : end;
}

/** Words repeat, so the counts of all but very long ones are stored. */
const knownWords = createWordTable();
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

/** The units of the piece that is being counted: to walk over numbers takes half as long as to walk over a string. */
const bytes = Buffer.alloc(2 * longestPiece);
const units = new Uint16Array(bytes.buffer, bytes.byteOffset, longestPiece);

/**
 * Words end at a single space between two others. A token of this vocabulary always begins there, whatever is around
 * it, so that the counts of words add up to that of their text.
 */
function countPiece(piece: string): number {
  bytes.write(piece, "utf16le");
  const { length } = piece;
  let tokens = 0;
  let start = 0;
  let hash = emptyHash;
  for (let at = 0; at < length; at++) {
    const code = units[at] ?? 0;
    if (code === space && at > start && !isSpace(piece, at - 1) && !isSpace(piece, at + 1)) {
      tokens += countWord(piece, start, at, hash);
      start = at;
      hash = emptyHash;
    }
    hash = addToHash(hash, code);
  }
  return start < length ? tokens + countWord(piece, start, length, hash) : tokens;
}

/** The tokens of the word at `[start, end)` of the piece. */
function countWord(piece: string, start: number, end: number, hash: number): number {
  const known = countNumber(start, end) ?? knownWords.find(units, start, end, hash);
  if (known !== null) return known;
  const tokens = countEncoded(piece.slice(start, end));
  knownWords.add(units.subarray(start, end), hash, tokens);
  return tokens;
}

/**
 * The tokens of a number, such as ` 1319.`: one for its space, one for three digits each, one for the mark after it. Null for
 * what is none. There is no end of numbers, so that keeping their counts would be of little use.
 */
function countNumber(start: number, end: number): number | null {
  const first = units[start] === space ? start + 1 : start;
  let at = first;
  while (at < end && isDigit(units[at])) at += 1;
  const digits = at - first;
  if (digits === 0) return null;
  if (at < end && isEndMark(units[at])) at += 1;
  return at < end ? null : Math.ceil(digits / 3) + (first - start) + (at - first - digits);
}

function isDigit(code = 0): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isEndMark(code: number | undefined): boolean {
  return code === 0x2c || code === 0x2e || code === 0x3f;
}

/** Whether there is white space; the end of the piece counts as some. */
function isSpace(piece: string, at: number): boolean {
  const code = at < piece.length ? (units[at] ?? 0) : 0;
  return code > 0x20 && code < 0x7f ? false : /^\s?$/.test(piece.charAt(at));
}

/**
 * The text in tokens of the o200k vocabulary, which joined are the text again. Tokens that are a part of one character
 * only stay together, so that each piece can be read by itself.
 */
export function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    const piece = text.slice(start, end);
    const split = decodeEach(piece);
    // What isn't well-formed text, such as half a surrogate pair, doesn't come back from its bytes.
    if (split.join("") === piece) tokens.push(...split);
    else tokens.push(piece);
    start = end;
  }
  return tokens;
}

/** What messages cost beside their text (the compatible API's rule). Every role's name is one token. */
const tokensPerMessage = 3;
const tokensPerRole = 1;
const tokensPerName = 1;
const tokensOfAnswerStart = 3;

function tokensOfPart(part: ContentPart, model: string | undefined): number {
  if (part.type !== "image_url") return 0;
  return countPictureTokens(part.image_url.url, part.image_url.detail, model);
}

/** Tokens of a chat prompt: every message's role, text and overhead, and the start of the answer. `model`: its vendor's rule counts for pictures. */
export function countPromptTokens(messages: readonly ChatMessage[], model?: string): number {
  let total = tokensOfAnswerStart;
  for (const message of messages) {
    total += tokensPerMessage + tokensPerRole + countTokens(messageText(message));
    if (Array.isArray(message.content))
      total += message.content.reduce((sum, part) => sum + tokensOfPart(part, model), 0);
    if (typeof message.name === "string") total += tokensPerName + countTokens(message.name);
  }
  return total;
}
