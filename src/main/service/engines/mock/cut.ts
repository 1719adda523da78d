import { countTokens, splitTokens } from "../../tokens/index.ts";

/**
 * Cuts a text that has more than `limit` tokens to exactly that many; characters stay whole. The text is one line of
 * words with single spaces between them: there every word begins a new token, and so the counts of words add up.
 */
export function cutToTokens(text: string, limit: number): string {
  let kept = "";
  let left = limit;
  for (const [word] of text.matchAll(/ ?[^ ]+/g)) {
    const tokens = countTokens(word);
    if (tokens > left) {
      kept += cutWord(word, left);
      break;
    }
    kept += word;
    left -= tokens;
  }
  // A character of several tokens that did not fit leaves a gap; a short word of one token each fills it.
  while (countTokens(kept) < limit) kept += " on";
  return kept;
}

/** The longest start of any text, in whole tokens, that has at most `limit` of them. */
export function cutBelowTokens(text: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  const kept = splitTokens(text).slice(0, limit);
  while (countTokens(kept.join("")) > limit) kept.pop();
  return kept.join("");
}

/** The longest start of a word that has at most `limit` tokens. */
function cutWord(word: string, limit: number): string {
  const characters = [...word];
  let fits = 0;
  let tooLong = characters.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(characters.slice(0, middle).join("")) <= limit) fits = middle;
    else tooLong = middle;
  }
  return characters.slice(0, fits).join("");
}
