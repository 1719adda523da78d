import type { Context } from "../../../context.ts";
import type { Sentence } from "../../index-sentences.ts";
import type { Candidate } from "../../read-candidates.ts";
import { relationsOf } from "../../relations.ts";
import { readDoerNoun } from "./read-doer-noun.ts";
import { type AskedDeed, type Frame, isPlaying } from "./read-frame.ts";
import { readCast } from "./read-gapped.ts";
import { readObjects } from "./read-objects.ts";
import { readSubject } from "./read-subject.ts";
import { gapBefore, isHere, type Place, type Reading, readMarks, type Scene } from "./scene.ts";
import {
  hasParticipleForm,
  isAdverb,
  isBe,
  isDeterminer,
  isDoerNoun,
  isParticiple,
  isPastForm,
  isPreposition,
  opensClause,
  shows,
} from "./verb-forms.ts";

/** A deed of the passage that is one that the question asks about. */
export interface Deed extends Reading {
  readonly asked: AskedDeed;
  /** Whether it is the same word, not one of the same relation. */
  readonly isSame: boolean;
}

/** A text that speaks of nothing else has no more to tell. */
const mostDeeds = 100;
/** What goes on longer is a list. */
const longestSentence = 400;

/** All deeds of the passage that the question asks about, with who stands where to them. */
export function findDeeds(
  context: Context,
  { deeds }: Frame,
  candidates: readonly Candidate[],
  sentences: ReadonlyMap<number, Sentence>,
): readonly Deed[] {
  if (deeds.length === 0) return [];
  const { words, source } = context.evidence;
  const marks = readMarks(context, candidates);
  const play = deeds.find(({ relations }) => isPlaying(relations));
  const found: Deed[] = [];
  let from = 0;
  for (const [index, sentence] of sentences) {
    while (from < words.length && words[from]?.sentence !== index) from += 1;
    const scene: Scene = { ...marks, words, text: source.text.text, topic: sentence.topic };
    for (let at = from; at < from + Math.min(sentence.words.length, longestSentence); at += 1) {
      const word = words[at];
      const isOpening = at === from && word !== undefined && hasParticipleForm(word) && !marks.starts.has(at);
      if (!word || (word.isCapital && !isOpening)) continue;
      const cast = play ? readCast(scene, at) : null;
      if (play && cast) found.push({ ...cast, asked: play, isSame: true });
      for (const asked of deeds) {
        const isSame = word.root === asked.root || word.key === asked.key;
        if (!isSame && relationsOf(word.root).isDisjointFrom(asked.relations)) continue;
        for (const reading of readDeed(scene, at)) found.push({ ...reading, asked, isSame });
      }
      if (found.length >= mostDeeds) return found;
    }
  }
  return found;
}

function readDeed(scene: Scene, at: number): readonly Reading[] {
  const word = scene.words[at];
  if (!word) return [];
  if (isDoerNoun(word)) return [readDoerNoun(scene, at)];
  if (isShowing(scene, at))
    return readObjects(scene, at, readSubject(scene, at), { subject: "done", object: "doer", isPassive: false });
  if (isNoun(scene, at)) return readNoun(scene, at);
  const isPassive = isPassiveAt(scene, at);
  return readObjects(scene, at, readSubject(scene, at), {
    subject: isPassive ? "done" : "doer",
    object: isPassive ? "beside" : "done",
    isPassive,
  });
}

/** "The film stars Ann Lee", but not "Ann Lee starred in the film". */
function isShowing({ words }: Scene, at: number): boolean {
  const next = words[at + 1];
  return shows(words[at]?.norm ?? "") && !(next && (isPreposition(next) || /^(as|alongside)$/.test(next.norm)));
}

/** "A score by Ann Lee", "its release": no verb. */
function isNoun(scene: Scene, at: number): boolean {
  const [word, before] = [scene.words[at], scene.words[at - 1]];
  if (!word || !before || isPastForm(word) || !isHere(scene, at - 1, at) || scene.ends.has(at)) return false;
  if (isDeterminer(before.norm) || isPreposition(before)) return true;
  return !(before.isFunction || before.isCapital || isAdverb(before));
}

const farthestOwner = 3;

/** "The score of X is by Ann Lee", "Ann Lee's novel X", "the novel X by Ann Lee". */
function readNoun(scene: Scene, at: number): readonly Reading[] {
  const isCalled = scene.starts.has(at + 1) && isHere(scene, at + 1, at) && gapBefore(scene, at + 1).length < 3;
  const none = { candidates: [], from: at };
  const readings = readObjects(scene, at, none, {
    subject: "beside",
    object: isCalled ? "done" : "beside",
    isPassive: false,
  });
  for (let before = at - 1; before >= at - farthestOwner && isHere(scene, before, at); before -= 1) {
    const mark = scene.ends.get(before + 1);
    if (!mark?.isActor) continue;
    const owner: Place = { candidate: mark.candidate, slot: "doer" };
    return readings.map(({ places, to }) => ({ places: [owner, ...places], from: mark.from, to }));
  }
  return readings;
}

/** In words: "was also written and", "written on 1 May 1927 by". */
const [farthestBe, farthestBy] = [4, 8];

/** "Was written", "written in 1927 by", "a film directed by", "X (born 1927". */
function isPassiveAt(scene: Scene, at: number): boolean {
  const { words, starts } = scene;
  const [word, next] = [words[at], words[at + 1]];
  if (!word || !hasParticipleForm(word)) return false;
  if (word.norm === "born" || gapBefore(scene, at).includes("(")) return true;
  for (let before = at - 1; before >= at - farthestBe && isHere(scene, before, at); before -= 1) {
    const other = words[before];
    if (other && isBe(other.norm)) return true;
    if (!other || (!isAdverb(other) && other.norm !== "and" && !isParticiple(other))) break;
  }
  if (starts.has(at + 1)) return false;
  for (let after = at + 1; after <= at + farthestBy && isHere(scene, after, at); after += 1) {
    const other = words[after];
    if (!other || opensClause(other.norm) || isBe(other.norm) || /[;:(]/.test(gapBefore(scene, after))) break;
    if (other.norm === "by") return true;
    if (isPastForm(other) && words[after - 1]?.norm !== "and" && after > at + 1) break;
  }
  return gapBefore(scene, at).includes(",") && next !== undefined && isPreposition(next);
}
