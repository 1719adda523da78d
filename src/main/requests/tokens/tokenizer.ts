import { openVocabulary, type Vocabulary } from "./vocabulary.ts";

/** How the o200k vocabulary splits text before its pairs are merged: words with their space, runs of digits, marks, white space. */
const suffix = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const before = String.raw`[^\r\n\p{L}\p{N}]?`;
const pieces = new RegExp(
  [
    `${before}${upper}*${lower}+${suffix}`,
    `${before}${upper}+${lower}*${suffix}`,
    String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ].join("|"),
  "gu",
);

let vocabulary: Vocabulary | undefined;

/** Read with its first use: most files need no count. */
function getVocabulary(): Vocabulary {
  vocabulary ??= openVocabulary();
  return vocabulary;
}

const encoder = new TextEncoder();

/** How many tokens the text has. Names of control tokens are text. */
export function countEncoded(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(pieces)) count += mergePairs(encoder.encode(piece)).length - 1;
  return count;
}

/** The text in tokens. Those that are a part of one character only stay together. */
export function decodeEach(text: string): string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(pieces)) {
    const bytes = encoder.encode(piece);
    const bounds = mergePairs(bytes);
    for (let at = 1; at < bounds.length; at++) {
      const token = decoder.decode(bytes.subarray(bounds[at - 1], bounds[at]), { stream: true });
      if (token !== "") tokens.push(token);
    }
  }
  return tokens;
}

const noPair = 0x7fffffff;

/** Where the tokens of a piece begin, and its end: of two neighbours, those that are the lowest rank together are merged first. */
function mergePairs(bytes: Uint8Array): Int32Array {
  const { find } = getVocabulary();
  let count = bytes.length;
  if (count < 2 || find(bytes, 0, count) >= 0) return Int32Array.of(0, count);
  const bounds = Int32Array.from({ length: count + 1 }, (_, at) => at);
  /** The rank of each token together with the next. */
  const ranks = new Int32Array(count - 1);
  const rankAt = (at: number): number => {
    const rank = find(bytes, bounds[at] ?? 0, bounds[at + 2] ?? 0);
    return rank < 0 ? noPair : rank;
  };
  for (let at = 0; at < count - 1; at++) ranks[at] = rankAt(at);
  while (count > 1) {
    let lowest = 0;
    for (let at = 1; at < count - 1; at++) if ((ranks[at] ?? 0) < (ranks[lowest] ?? 0)) lowest = at;
    if (ranks[lowest] === noPair) break;
    bounds.copyWithin(lowest + 1, lowest + 2, count + 1);
    ranks.copyWithin(lowest + 1, lowest + 2, count - 1);
    count -= 1;
    if (lowest < count - 1) ranks[lowest] = rankAt(lowest);
    if (lowest > 0) ranks[lowest - 1] = rankAt(lowest - 1);
  }
  return bounds.subarray(0, count + 1);
}
