import { getEncoder, plainText } from "./encoder.ts";
import { endOfPiece } from "./end-of-piece.ts";

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

function decodeEach(piece: string): string[] {
  const { encode, decodeGenerator } = getEncoder();
  return [...decodeGenerator(encode(piece, plainText))];
}
