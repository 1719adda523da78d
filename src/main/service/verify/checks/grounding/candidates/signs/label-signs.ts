import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Asked } from "../read-asked.ts";
import type { Candidate, Mention } from "../read-candidates.ts";
import type { Signs } from "./sign-names.ts";

/** "Context: Ida Moen made …" is how somebody hands over a text. */
const passages = /^(context|passage|knowledge|document|text|article|background)$/;
/** In words: "Treasurer: the honourable Mr Lee", "Bins out on Tuesday night: Ann". */
const [farthestLabel, longestLabel] = [3, 7];

/**
 * Of a name or a number in a list, "Treasurer: Ann Lee" or "Kitchen – Bo Chen":
 * - `labelSame`: how much of its label the question has.
 * - `labelOther`: the question has nothing of it.
 */
export function readLabelSigns(context: Context, asked: Asked, { mentions }: Candidate): Signs {
  const signs: Signs = {};
  const isAsked = (word: Word): boolean =>
    asked.isHead(word) || asked.words.some(({ key, root }) => key === word.key || root === word.root);
  for (const mention of mentions) {
    const label = readLabel(context, mention).filter(({ isFunction }) => !isFunction);
    if (label.length === 0) continue;
    const share = label.filter(isAsked).length / label.length;
    if (share === 0) signs.labelOther = 1;
    else signs.labelSame = Math.max(signs.labelSame ?? 0, share);
  }
  return signs;
}

/** The words between the mark before a label and the colon after it. */
function readLabel({ evidence: { words, source } }: Context, { from }: Mention): readonly Word[] {
  const gapBefore = (at: number): string => source.text.text.slice(words[at - 1]?.end ?? 0, words[at]?.start ?? 0);
  let end = from;
  while (end > from - farthestLabel && gapBefore(end) === " ") end -= 1;
  if (!/: |– /.test(gapBefore(end)) || words[end - 1]?.isNumber === true) return [];
  let start = end;
  while (start > 0 && end - start < longestLabel) {
    start -= 1;
    if (/[.;:(),\n]/.test(gapBefore(start))) break;
  }
  return passages.test(words[start]?.norm ?? "") && end - start === 1 ? [] : words.slice(start, end);
}
