import type { Word } from "../../text/index.ts";
import type { Evidence } from "./evidence.ts";

/** Where a passage has a name with all its words: its sentence, and the index after its last word. */
export interface Mention {
  readonly sentence: number;
  readonly from: number;
  readonly to: number;
  /** Whether the sentence opens with it. */
  readonly isOpening: boolean;
}

/** In words. */
const opening = 5;
const mostMentions = 20;

/** Where all words of a name stand in its order, with nothing but words of grammar between them. */
export function findWholeName(evidence: Evidence, name: readonly Word[]): readonly Mention[] {
  const keys = name.filter(({ isFunction }) => !isFunction).map(({ key }) => key);
  const [first] = keys;
  if (first === undefined) return [];
  const found: Mention[] = [];
  for (const from of evidence.positions.get(first) ?? []) {
    const to = endOfRun(evidence.words, from, keys);
    const word = evidence.words[from];
    if (to === null || !word || found.length === mostMentions) continue;
    const start = evidence.sentences.get(word.sentence)?.[opening]?.start ?? Number.POSITIVE_INFINITY;
    found.push({ sentence: word.sentence, from, to, isOpening: word.start < start });
  }
  return [...found.filter(({ isOpening }) => isOpening), ...found.filter(({ isOpening }) => !isOpening)];
}

function endOfRun(words: readonly Word[], from: number, keys: readonly string[]): number | null {
  let at = from;
  for (const key of keys) {
    while (words[at]?.isFunction === true && words[at]?.key !== key && at > from) at += 1;
    const word = words[at];
    if (!word || word.key !== key || word.sentence !== words[from]?.sentence || !(word.isCapital || word.isNumber))
      return null;
    at += 1;
  }
  return at;
}

/** In words: a middle name or two. */
const widest = 2;

/** Where the words of a name of two and more stand with others of the same name between them: "Ann Maria Moss" for "Ann Moss". */
export function findWiderName(evidence: Evidence, name: readonly Word[]): readonly Mention[] {
  const [first, ...rest] = name.filter(({ isFunction }) => !isFunction).map(({ key }) => key);
  if (first === undefined || rest.length === 0) return [];
  return (evidence.positions.get(first) ?? []).slice(0, mostMentions).flatMap((from) => {
    let to = from + 1;
    for (const key of rest) {
      const at = evidence.words.slice(to, to + widest + 1).findIndex((word) => word.key === key);
      if (at === -1) return [];
      to += at + 1;
    }
    const words = evidence.words.slice(from, to);
    const sentence = words[0]?.sentence ?? -1;
    if (!words.every((word) => word.isCapital && word.sentence === sentence)) return [];
    const start = evidence.sentences.get(sentence)?.[opening]?.start ?? Number.POSITIVE_INFINITY;
    return [{ sentence, from, to, isOpening: (words[0]?.start ?? 0) < start }];
  });
}
