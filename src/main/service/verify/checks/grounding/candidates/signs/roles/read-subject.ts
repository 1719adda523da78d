import type { Word } from "../../../../../text/index.ts";
import { gapBefore, isHere, type Mark, reach, type Scene } from "./scene.ts";
import { isAdverb, isBe, isDeterminer, isHelping, isPastForm, isPreposition } from "./verb-forms.ts";

/** Of which candidates a verb speaks, and where they start. */
export interface Subject {
  readonly candidates: readonly number[];
  readonly from: number;
}

/** "She drew it, sold it and left": so often one goes back to the verb before. */
const mostShared = 3;
const longestSeries = 6;

/** The subject of a verb: the nearest name before it that no preposition holds, else whom the sentence is about. */
export function readSubject(scene: Scene, at: number, depth = 0): Subject {
  const { words, ends } = scene;
  const topic = scene.topic === null ? [] : [scene.topic];
  let last = at - 1;
  while (isHere(scene, last, at) && isPassing(words[last])) last -= 1;
  const first = isHere(scene, last, at) ? words[last] : undefined;
  if (!first) return { candidates: topic, from: last + 1 };
  if (/^(he|she|it|they)$/.test(first.norm)) return { candidates: topic, from: last };
  if (first.norm === "and") {
    const verb = depth < mostShared ? findVerbBefore(scene, last) : -1;
    return verb === -1 ? { candidates: topic, from: last } : readSubject(scene, verb, depth + 1);
  }
  const isRelative = /^(who|which|that)$/.test(first.norm);
  for (let index = last; index > at - reach && isHere(scene, index, at); index -= 1) {
    const gap = gapBefore(scene, index + 1);
    if (gap.includes(")") && !gap.includes("(")) {
      index = skipBrackets(scene, index);
      continue;
    }
    if (index < at - 1 && /[;:(]/.test(gap)) break;
    if (index < last && /^(while|but|although|because|who|which)$/.test(words[index]?.norm ?? "")) break;
    const mark = ends.get(index + 1);
    if (!mark) continue;
    // "With Ann Lee presiding"
    const isWith = index === at - 1 && words[mark.from - 1]?.norm === "with";
    if (mark.isActor && (isWith || !isHeld(scene, mark, isRelative)))
      return { candidates: readSeries(scene, mark), from: mark.from };
    index = mark.from;
  }
  return { candidates: topic, from: last + 1 };
}

function isPassing(word: Word | undefined): boolean {
  return word !== undefined && (isBe(word.norm) || isAdverb(word) || isHelping(word.norm));
}

/** "She drew it and [wrote]": the verb that has the same subject. */
function findVerbBefore(scene: Scene, from: number): number {
  for (let at = from - 1; at > from - reach && isHere(scene, at, from); at -= 1) {
    const word = scene.words[at];
    if (word && (isPastForm(word) || isBe(word.norm))) return at;
  }
  return -1;
}

/** Where the brackets open that close after a word. */
function skipBrackets(scene: Scene, from: number): number {
  for (let at = from; at > from - reach; at -= 1) if (gapBefore(scene, at).includes("(")) return at;
  return from;
}

/** Whether a name before a verb is none that does it: a place, or whom a preposition holds that no "who" goes on about. */
function isHeld(scene: Scene, mark: Mark, isRelative: boolean): boolean {
  const holding = findPreposition(scene, mark);
  return holding !== null && !(isRelative && /^(by|of|with|about)$/.test(holding.norm));
}

const farthestPreposition = 4;

/** The preposition of "in Rome", "by the novelist Ann Lee"; that of "in Lyon, France" holds France, too. */
function findPreposition(scene: Scene, mark: Mark): Word | null {
  const { words, ends } = scene;
  let { from } = mark;
  for (let step = 0; step < longestSeries && gapBefore(scene, from) === ", "; step += 1) {
    const before = ends.get(from);
    if (before?.sentence !== mark.sentence) break;
    from = before.from;
  }
  for (let at = from - 1; at >= from - farthestPreposition; at -= 1) {
    const word = words[at];
    if (word?.sentence !== mark.sentence || word.isNumber || /[,;:()]/.test(gapBefore(scene, at + 1))) return null;
    if (isPreposition(word)) return word;
    if (word.isFunction && !isDeterminer(word.norm)) return null;
    if (isPastForm(word) || (at < from - 1 && word.isCapital)) return null;
  }
  return null;
}

/** "Ann Lee and Bo Chen wrote": both. */
function readSeries(scene: Scene, last: Mark): readonly number[] {
  const found = [last.candidate];
  let mark = last;
  for (let step = 0; step < longestSeries; step += 1) {
    const isAnd = scene.words[mark.from - 1]?.norm === "and";
    const before = scene.ends.get(isAnd ? mark.from - 1 : mark.from);
    if (before?.sentence !== mark.sentence || (!isAnd && gapBefore(scene, mark.from) !== ", ")) break;
    if (isObject(scene, before)) break;
    found.push(before.candidate);
    mark = before;
  }
  return found;
}

/** "Bo Chen painted X and Ann Lee wrote Y": X is what was painted, and no second writer. */
function isObject(scene: Scene, mark: Mark): boolean {
  const [before, earlier] = [scene.words[mark.from - 1], scene.words[mark.from - 2]];
  const verb = before && isDeterminer(before.norm) ? earlier : before;
  return verb?.sentence === mark.sentence && (isPastForm(verb) || isPreposition(verb));
}
