import { isDemonym, type Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import type { Candidate, Mention } from "../../read-candidates.ts";

/** Where somebody or something stands to a deed: who does it, to whom it is done, with whom, or where and when. */
export type Slot = "doer" | "done" | "with" | "beside";

/** A mention of a candidate. */
export interface Mark extends Mention {
  readonly candidate: number;
  /** Whether it may be a subject: a name, and none that only says where somebody is from. */
  readonly isActor: boolean;
}

/** Who or what stands where to a deed. */
export interface Place {
  readonly candidate: number;
  readonly slot: Slot;
}

/** What one verb of a sentence, or one noun, says of who does what. */
export interface Reading {
  readonly places: readonly Place[];
  /** The words that belong to it: `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** The names of a passage, by where they stand. */
export interface Marks {
  /** By the word that they start with. */
  readonly starts: ReadonlyMap<number, Mark>;
  /** By the word after their last. */
  readonly ends: ReadonlyMap<number, Mark>;
}

/** What a sentence is read with. */
export interface Scene extends Marks {
  readonly words: readonly Word[];
  readonly text: string;
  /** The candidate that the sentence is about. */
  readonly topic: number | null;
}

/** So far from a verb its names are looked for. In words. */
export const reach = 40;

export function readMarks({ evidence: { words } }: Context, candidates: readonly Candidate[]): Marks {
  const marks = candidates.flatMap(({ kind, mentions }, candidate) =>
    mentions.map((mention): Mark => ({ ...mention, candidate, isActor: kind === "name" && !isOrigin(words, mention) })),
  );
  return {
    starts: new Map(marks.map((mark) => [mark.from, mark])),
    ends: new Map(marks.map((mark) => [mark.to, mark])),
  };
}

/** "Norwegian" of "a Norwegian painter". */
function isOrigin(words: readonly Word[], { from, to }: Mention): boolean {
  return to - from === 1 && isDemonym(words[from]?.norm ?? "");
}

/** What stands between a word and the one before it. */
export function gapBefore({ words, text }: Scene, at: number): string {
  return text.slice(words[at - 1]?.end ?? 0, words[at]?.start ?? 0);
}

/** Whether there is such a word, in the sentence of another. */
export function isHere({ words }: Scene, at: number, like: number): boolean {
  return words[at] !== undefined && words[at]?.sentence === words[like]?.sentence;
}
