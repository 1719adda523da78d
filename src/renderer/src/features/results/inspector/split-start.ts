import { findSharedStart } from "../../../components/index.ts";

/** A message as far as it is shown: `start` is what it shares with the same message of all other lines. */
export interface SplitMessage {
  readonly start: string;
  readonly rest: string;
}

/** A shorter start takes no more room than the line that it folds into, in characters. */
const leastFolded = 40;

/**
 * Splits the messages of a line where they begin to differ from those of other lines. Messages before that are shared as a whole.
 * Nothing is where there is no other line, or what they share is short.
 */
export function splitStart(texts: readonly string[], others: readonly (readonly string[])[]): readonly SplitMessage[] {
  let isShared = others.length > 0;
  const split = texts.map((text, at) => {
    if (!isShared) return { start: "", rest: text };
    if (others.every((other) => other[at] === text)) return { start: text, rest: "" };
    isShared = false;
    const start = findSharedStart([text, ...others.map((other) => other[at] ?? "")]);
    const isWhole = others.every((other) => other[at]?.startsWith(start));
    return isWhole ? { start, rest: text.slice(start.length) } : { start: "", rest: text };
  });
  const shared = split.reduce((sum, { start }) => sum + start.length, 0);
  return shared < leastFolded ? texts.map((text) => ({ start: "", rest: text })) : split;
}
