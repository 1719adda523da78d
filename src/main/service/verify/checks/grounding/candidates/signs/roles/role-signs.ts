import { leadStem, rootOf, stemWord } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import { hasWord, type Sentence } from "../../index-sentences.ts";
import { type Asked, shareOf } from "../../read-asked.ts";
import { type Candidate, ownKeys } from "../../read-candidates.ts";
import { relationsOf } from "../../relations.ts";
import type { Signs } from "../sign-names.ts";
import { type Deed, findDeeds } from "./read-deeds.ts";
import { type Frame, readFrame } from "./read-frame.ts";
import type { Place } from "./scene.ts";

/** Another word of the same relation may speak of something else. */
const likeness = 0.8;
const marrying = relationsOf(rootOf(leadStem(stemWord("marry"))));

/**
 * Whether each candidate stands to a deed of the passage as the question asks for it. In the order of the candidates.
 * - `roleSame`: the candidate does what is asked about, or it is done to them, as the question asks for it.
 * - `roleBeside`: the question asks for what stands beside the deed (where, when, after whom), and so does the candidate.
 * - `roleNearest`: of all who stand so, the candidate does it in the words that have most of the question.
 */
export function readRoleSigns(
  context: Context,
  asked: Asked,
  candidates: readonly Candidate[],
  sentences: ReadonlyMap<number, Sentence>,
): readonly Signs[] {
  const frame = readFrame(context.question);
  const keys = candidates.map(ownKeys);
  const isAsked = candidates.map(({ kind }, index) => {
    return kind === "name" && keys[index]?.isDisjointFrom(context.evidence.asked) === false;
  });
  const all = candidates.map((): Signs => ({}));
  const shares = candidates.map(() => 0);
  for (const deed of findDeeds(context, frame, candidates, sentences)) {
    const name = deed.asked.slot === "beside" ? "roleBeside" : "roleSame";
    const value = deed.isSame ? 1 : likeness;
    for (const place of deed.places) {
      const signs = all[place.candidate];
      if (!signs || !isWanted(frame, deed, place, isAsked)) continue;
      signs[name] = Math.max(signs[name] ?? 0, value);
      const share = measureShare(context, asked, deed, place, keys);
      shares[place.candidate] = Math.max(shares[place.candidate] ?? 0, share);
    }
  }
  const best = Math.max(0, ...shares.filter((_, index) => !isAsked[index]));
  for (const [index, signs] of all.entries()) {
    const isFound = signs.roleSame !== undefined || signs.roleBeside !== undefined;
    if (isFound && (shares[index] ?? 0) >= best) signs.roleNearest = 1;
  }
  return all;
}

/** Whether somebody stands where the question asks for somebody. */
function isWanted({ isJoint }: Frame, { asked, places }: Deed, place: Place, isAsked: readonly boolean[]): boolean {
  if (asked.slot === place.slot) return true;
  const others = places.filter(({ candidate }) => candidate !== place.candidate);
  // Either is married to the other.
  if (!asked.relations.isDisjointFrom(marrying)) return others.length > 0;
  // "With whom did Ann Lee write X?" asks for another who did; so does "Who wrote X with Ann Lee?".
  if (asked.slot === "with" && place.slot === "doer")
    return others.some(({ candidate, slot }) => slot === "doer" && isAsked[candidate]);
  return isJoint && asked.slot === "doer" && place.slot === "with";
}

/** How much of the question a deed has: in its words, and in the names of those who stand elsewhere to it. */
function measureShare(
  { evidence: { words } }: Context,
  asked: Asked,
  { asked: deed, from, to, places }: Deed,
  { candidate, slot }: Place,
  keys: readonly ReadonlySet<string>[],
): number {
  const here = new Set(words.slice(from, to).flatMap(({ key, root }) => [key, root]));
  const others = places.filter((other) => other.candidate !== candidate && other.slot !== slot);
  for (const other of others) for (const key of keys[other.candidate] ?? []) here.add(key);
  // All of them have the deed, also where the verb is left out.
  const telling = asked.words.filter(({ root }) => root !== deed.root);
  return shareOf(telling, (word) => keys[candidate]?.has(word.key) !== true && hasWord(here, word));
}
