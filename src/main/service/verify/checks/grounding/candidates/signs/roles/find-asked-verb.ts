import type { Word } from "../../../../../text/index.ts";
import { relationsOf } from "../../relations.ts";
import type { Slot } from "./scene.ts";
import { isAdverb, isBe, isDoerNoun, isParticiple, isPastForm, isPreposition } from "./verb-forms.ts";

/** The word of a question that names its deed, and what is asked for of that; nothing where none does. */
export type Found = readonly (readonly [word: Word, slot: Slot])[];

const relative = /^(that|who|which|whom|whose|where|when)$/;
const determiner = /^(the|a|an|his|her|its|their|this|that|whose|one|another|every|each)$/;
const empty = /^(name|names|title|kind|sort|type|thing|one|called|named)$/;

/** "Did" of "what did he write". */
export function isDoing(norm: string): boolean {
  return /^(do|does|did)$/.test(norm);
}

/** "Has" of "who has written it". */
export function isHaving(norm: string): boolean {
  return /^(has|have|had|will|would|can|could|must|should|may|might|shall)$/.test(norm);
}

export function toFound(word: Word | undefined, slot: Slot): Found {
  return word ? [[word, slot]] : [];
}

/** After "who is": what is done to them, what they do, or what they are called. */
export function readPredicate(words: readonly Word[]): Found {
  const first = words.find((word) => !isAdverb(word));
  if (first && isParticiple(first)) return [[first, "done"]];
  return first?.norm.endsWith("ing") && !first.isCapital ? [[first, "doer"]] : readNoun(words);
}

/** The verb after "which actress from X": what a preposition holds is passed by. */
export function findVerb(words: readonly Word[], end: number): number {
  let from = end;
  for (let word = words[from]; word && (isAdverb(word) || relative.test(word.norm)); word = words[from]) from += 1;
  const first = words[from];
  if (!first || !isPreposition(first)) return from;
  const verb = words.findIndex(
    (word, index) => index > from && (isDoing(word.norm) || isHaving(word.norm) || isBe(word.norm) || isPastForm(word)),
  );
  return verb === -1 ? from : verb;
}

/** "The director of X", "X's part in Y", "the name of the character that …": the noun that is asked for. */
export function readNoun(words: readonly Word[]): Found {
  const edge = words.findIndex(
    (word, index) =>
      index > 0 && (isPreposition(word) || relative.test(word.norm) || isBe(word.norm) || isPastForm(word)),
  );
  const phrase = edge === -1 ? words : words.slice(0, edge);
  const noun = phrase.findLast(({ isFunction, isCapital, isNumber }) => !isFunction && !isCapital && !isNumber);
  if (!noun) return [];
  if (empty.test(noun.norm))
    return noun.norm === "name" && words[edge]?.norm === "of" ? readNoun(words.slice(edge + 1)) : [];
  return [[noun, isDoerNoun(noun) ? "doer" : "done"]];
}

/** After "did X": the verb comes after the subject, which may be a name or somebody who is described. */
export function findMainVerb(words: readonly Word[]): Word | undefined {
  return words.findLast((word, index) => {
    const before = words[index - 1];
    if (word.isFunction || word.isCapital || word.isNumber || isPastForm(word) || isAdverb(word)) return false;
    if (/[^s]s$|ing$/.test(word.norm) || isDoerNoun(word)) return false;
    if (!before) return true;
    const isHeld = isPreposition(before) || determiner.test(before.norm) || before.isNumber || isAdverb(before);
    return !isHeld && word.start <= before.end + 1;
  });
}

export function findLastVerb(words: readonly Word[]): Word | undefined {
  const verb = words.findLast((word) => isPastForm(word));
  return (
    verb ?? words.findLast(({ isFunction, isCapital, root }) => !isFunction && !isCapital && relationsOf(root).size > 0)
  );
}
