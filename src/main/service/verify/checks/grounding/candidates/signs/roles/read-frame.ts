import { remember } from "../../../../../remember.ts";
import { leadStem, rootOf, stemWord, type Word } from "../../../../../text/index.ts";
import type { Question } from "../../../question.ts";
import { readWanted, wordsOfQuestion } from "../../read-wanted.ts";
import { relationsOf } from "../../relations.ts";
import {
  type Found,
  findLastVerb,
  findMainVerb,
  findVerb,
  isDoing,
  isHaving,
  readNoun,
  readPredicate,
  toFound,
} from "./find-asked-verb.ts";
import type { Slot } from "./scene.ts";
import { isAdverb, isBe, isDoerNoun, isParticiple, isPreposition, shows } from "./verb-forms.ts";

/** A deed that a question asks about, and what it asks for of it. */
export interface AskedDeed {
  readonly key: string;
  readonly root: string;
  readonly relations: ReadonlySet<number>;
  readonly slot: Slot;
}

/** Who does what to whom, as a question asks for it. */
export interface Frame {
  readonly deeds: readonly AskedDeed[];
  /** Whether the partner of somebody who is named is asked for: "who wrote X together with Ann Lee". */
  readonly isJoint: boolean;
}

/** What "play", "star", "role" and "character" speak of. */
const playing = relationsOf(rootOf(leadStem(stemWord("play"))));

/** Whether a deed is that of an actor. */
export function isPlaying(relations: ReadonlySet<number>): boolean {
  return !relations.isDisjointFrom(playing);
}

/** "By Ann Lee and which other man": in words. */
const farthestBy = 8;
const joint = /^(with|together|alongside|beside|besides|partner|partnered|along|other|teamed|jointly)$/;
const adverbial = /^(when|where|whens|wheres)$/;
const roles = /^(role|roles|part|parts|character|characters)$/;

/** What a question asks for: the subject of its verb, the object, or what stands beside. */
export const readFrame = remember((question: Question): Frame => {
  const words = wordsOfQuestion(question);
  const { at, phrase, head, kind } = readWanted(question);
  const isJoint = words.some(
    ({ norm }, index) => joint.test(norm) || norm === "co" || (norm === "and" && index === at - 1),
  );
  if (at === -1 || at >= words.length) return { deeds: [], isJoint };
  const last = phrase.at(-1);
  const end = Math.max(at + 1, last === undefined ? 0 : words.indexOf(last) + 1);
  const after = words[end];
  const isLate = at > 2 && (after === undefined || isPreposition(after) || isAdverb(after));
  const found = isLate
    ? readEnding(words, at, kind === "year" || adverbial.test(words[at]?.norm ?? ""))
    : readOpening(words, at, end);
  const deeds = found.map(([word, slot]) =>
    toDeed(word, slot === "doer" && kind === "title" && shows(word.norm) ? "done" : slot),
  );
  return { deeds: [...deeds, ...readHead(head, found), ...readOrder(words)], isJoint };
});

function toDeed({ key, root }: Pick<Word, "key" | "root">, slot: Slot): AskedDeed {
  return { key, root, relations: relationsOf(root), slot };
}

/** "Which publisher brought out X", "what role did he have": the noun says what they do. */
function readHead(head: Word | null, found: Found): readonly AskedDeed[] {
  if (
    head === null ||
    found.some(([word]) => word === head || !relationsOf(word.root).isDisjointFrom(relationsOf(head.root)))
  )
    return [];
  if (roles.test(head.norm)) return [toDeed(head, "done")];
  return isDoerNoun(head) && relationsOf(head.root).size > 0 ? [toDeed(head, "doer")] : [];
}

const following = { key: "succeed", root: rootOf(leadStem(stemWord("succeed"))) };

/** "Who commanded it after X left", "who took over from X": who succeeded X. */
function readOrder(words: readonly Word[]): readonly AskedDeed[] {
  const text = words.map(({ norm }) => norm).join(" ");
  if (/\b(predecessor|preceded)\b|\bbefore\b|\bafter (whom|who|which)\b/.test(text)) return [toDeed(following, "done")];
  return /(?<!(named|called)) after\b|\btook over\b|\bplace of\b|\bsuccessor\b|\bfollowed\b/.test(text)
    ? [toDeed(following, "doer")]
    : [];
}

function slotAfter(preposition: string): Slot {
  if (preposition === "by") return "doer";
  return preposition === "with" ? "with" : "beside";
}

/** "X was directed by whom", "X was born in which city", "X married whom". */
function readEnding(words: readonly Word[], at: number, isWhen: boolean): Found {
  const [before, earlier] = [words[at - 1], words[at - 2]];
  if (!before) return [];
  const told = words.slice(0, at - 1);
  if (before.norm === "and") {
    const isBy = words.slice(Math.max(0, at - farthestBy), at).some(({ norm }) => norm === "by");
    return toFound(findLastVerb(told), isBy ? "doer" : "done");
  }
  if (before.norm === "of" && earlier?.isFunction === false) return toFound(earlier, "done");
  if (isPreposition(before)) return toFound(findLastVerb(told), slotAfter(before.norm));
  if (isBe(before.norm)) return readNoun(told);
  return toFound(findLastVerb(words.slice(0, at)), isWhen ? "beside" : "done");
}

/** "Who directed X", "which film was directed by X", "what did X write", "in which city was X born". */
function readOpening(words: readonly Word[], at: number, end: number): Found {
  const asks = words[at]?.norm ?? "";
  const isPhrase = end > at + 1;
  // "What was the name of", "who's the pianist on"
  if (isPhrase && isBe(words[at + 1]?.norm ?? "")) return readPredicate(words.slice(at + 2));
  if (!isPhrase && /^(the|a|an)$/.test(words[end]?.norm ?? "")) return readPredicate(words.slice(end));
  const from = findVerb(words, end);
  const next = words[from];
  if (!next) return [];
  const held = [words[at - 1], words.at(-1)].find((word) => word !== undefined && isPreposition(word));
  const slot = held ? slotAfter(held.norm) : adverbial.test(asks) ? "beside" : null;
  const rest = words.slice(from + 1);
  if (isDoing(next.norm)) return toFound(findMainVerb(rest), slot ?? "done");
  if (asks.startsWith("how")) return [];
  if (isHaving(next.norm)) return readAfterHaving(rest, slot);
  if (isBe(next.norm)) return readAfterBe(rest, slot, isPhrase);
  if (next.isFunction || next.isCapital) return toFound(findLastVerb(rest), "done");
  return toFound(next, isParticiple(next) && rest[0]?.norm === "by" ? "done" : "doer");
}

/** "Who has to write X", "what has been written", "what had X written". */
function readAfterHaving(words: readonly Word[], slot: Slot | null): Found {
  const verb = words.find((word) => !isAdverb(word) && word.norm !== "to" && word.norm !== "been");
  if (!verb || verb.isFunction || verb.isCapital) return toFound(findLastVerb(words), slot ?? "done");
  return toFound(verb, words.some(({ norm }) => norm === "been") ? "done" : "doer");
}

/** "Which film was directed by X", "who was the director", "in which city was X born", "which city is X based". */
function readAfterBe(words: readonly Word[], slot: Slot | null, isPhrase: boolean): Found {
  const first = words.find((word) => !isAdverb(word));
  if (slot !== null) return toFound(first && isParticiple(first) ? first : findLastVerb(words), slot);
  const found = readPredicate(words);
  return !isPhrase || found[0]?.[0] === first ? found : toFound(findLastVerb(words), "beside");
}
