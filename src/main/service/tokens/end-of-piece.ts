/**
 * The encoder's time grows with the square of a run without spaces, and some scripts are written without any. Text is
 * therefore encoded in pieces, cut at a space where there is one: a piece cut elsewhere makes one token more at most.
 */
export const longestPiece = 1_000;

/** Where the piece of the text that begins at `start` ends. */
export function endOfPiece(text: string, start: number): number {
  const end = start + longestPiece;
  if (end >= text.length) return text.length;
  const piece = text.slice(start, end);
  const space = piece.lastIndexOf(" ");
  if (space > 0) return start + space;
  const splitsPair = /[\uD800-\uDBFF]$/.test(piece);
  return splitsPair ? end - 1 : end;
}
