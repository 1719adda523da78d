import { isPastForm } from "./stem.ts";
import type { Word } from "./words.ts";

const pronouns: ReadonlySet<string> = new Set("it he she they its his her their this these that those".split(" "));
const auxiliaries: ReadonlySet<string> = new Set(
  "is was are were has have had will would can could shall should may might must does did".split(" "),
);
/** A subject has at most so many words. */
const longest = 6;

/** What a sentence is about. */
export interface Subject {
  /** What the next sentence is about where it opens with a pronoun. */
  readonly subject: readonly Word[];
  /** What this one takes from the sentence before for the pronoun that opens it. */
  readonly inherited: readonly Word[];
}

/**
 * The subject of a sentence: its words of content before its verb, where that can be told; after a pronoun that opens it, the
 * subject of the sentence before.
 */
export function findSubject(words: readonly Word[], before: readonly Word[]): Subject {
  const [first, second] = words;
  if (first !== undefined && pronouns.has(first.norm) && !isDeterminer(first, second)) {
    return { subject: before, inherited: before };
  }
  const verb = words.findIndex((word, at) => at > 0 && isVerb(word));
  if (verb === -1 || verb > longest) return { subject: [], inherited: [] };
  return {
    subject: words.slice(0, verb).filter(({ isFunction, isNumber }) => !isFunction && !isNumber),
    inherited: [],
  };
}

/** "This rule" has a subject of its own; "its length" is about the one before. */
function isDeterminer({ norm }: Word, next: Word | undefined): boolean {
  return norm.startsWith("th") && norm !== "they" && norm !== "their" && next !== undefined && !isVerb(next);
}

function isVerb({ norm, isCapital }: Word): boolean {
  return !isCapital && (auxiliaries.has(norm) || isPastForm(norm) || (norm.length > 4 && norm.endsWith("ed")));
}
