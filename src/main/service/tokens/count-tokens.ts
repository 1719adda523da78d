import { createRequire } from "node:module";

/**
 * The encoder's time grows with the square of a run without spaces, and some scripts are written without any. Text is
 * therefore counted in pieces, cut at a space where there is one: a piece cut elsewhere counts for one token more at most.
 */
const pieceLength = 1_000;

/** Text that merely looks like a control token (`<|endoftext|>`) is text. */
const plainText = { disallowedSpecial: new Set<string>() };

type Encoder = typeof import("gpt-tokenizer/encoding/o200k_base");

let encoder: Encoder | undefined;

/** Loaded with the first count: it takes 100 ms, and most files need none. */
function getEncoder(): Encoder {
  encoder ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as Encoder;
  return encoder;
}

/** How many tokens of the o200k vocabulary the text has. */
export function countTokens(text: string): number {
  return countTokensUpTo(text, Number.POSITIVE_INFINITY);
}

/** The same, but stops counting once it is over `limit`: the answer is then some number over it. */
export function countTokensUpTo(text: string, limit: number): number {
  const { countTokens: count } = getEncoder();
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= limit; ) {
    const end = endOfPiece(text, start);
    tokens += count(text.slice(start, end), plainText);
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
