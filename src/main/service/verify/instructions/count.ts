import { isFiller } from "../filler.ts";
import type { Text } from "../types.ts";

/** How many units a text has, by the reading that counts the fewest and by the one that counts the most. */
export interface Counted {
  readonly least: number;
  readonly most: number;
}

/** Words between spaces; at most, those between hyphens and strokes too. A name ("New York") may count as one. */
export function countWords(response: Text): Counted {
  const words = contentOf(response).split(/\s+/).filter(hasWord);
  const parts = response.text.split(/[\s\-–—/]+/).filter(hasWord);
  const isName = words.length <= 4 && words.every((word) => /^[^\p{L}]*\p{Lu}/u.test(word));
  return { least: isName ? Math.min(1, words.length) : words.length, most: parts.length };
}

/** Those that end in a mark; at most, lines count too. */
export function countSentences(response: Text): Counted {
  const { text, sentences } = response;
  const parts = sentences.map(({ start, end }) => text.slice(start, end)).filter(hasWord);
  const ended = parts.filter((part) => !isFiller(part) && /[.!?…。！？]["'”’)\]*_]{0,4}$/.test(part)).length;
  return { least: Math.min(Math.max(ended, 1), parts.length), most: parts.length };
}

/** Code points; at least, those that are no spaces. */
export function countCharacters({ text }: Text): Counted {
  const trimmed = text.trim();
  return { least: [...trimmed.replaceAll(/\s+/g, "")].length, most: trimmed.length };
}

/** Blocks between blank lines; at most, lines. Lists and headings can be read either way. */
export function countParagraphs({ text }: Text): Counted {
  const blocks = text
    .split(/\n\s*?\n/)
    .filter((block) => !isFiller(block.trim()) && !/^\s*(?:[-*•]|\d+[.)]|#)/.test(block) && /[.!?:]/.test(block));
  const lines = text.split("\n").filter(hasWord);
  return { least: Math.min(blocks.length, lines.length), most: lines.length };
}

function contentOf({ text, sentences }: Text): string {
  return sentences
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => !isFiller(sentence))
    .join("\n");
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
