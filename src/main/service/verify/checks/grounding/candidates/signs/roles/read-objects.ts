import { relationsOf } from "../../relations.ts";
import { isPlaying } from "./read-frame.ts";
import type { Subject } from "./read-subject.ts";
import { gapBefore, isHere, type Place, type Reading, reach, type Scene, type Slot } from "./scene.ts";
import { isBe, isPastForm, isPreposition, opensClause, shows } from "./verb-forms.ts";

/** How a verb, or a noun of a deed, is put. */
export interface Form {
  readonly subject: Slot;
  readonly object: Slot;
  readonly isPassive: boolean;
}

const mostGapped = 6;
/** In words: "the playwright Tom Reed and". */
const longestPair = 12;

/**
 * What stands around a verb: its subject, its object, who does it after "by", and what prepositions hold. Those for whom
 * the verb is left out are read of their own: "Ann Lee plays Mia, Bo Chen the baker Tom".
 */
export function readObjects(scene: Scene, at: number, subject: Subject, form: Form): readonly Reading[] {
  const { words, starts } = scene;
  const places = subject.candidates.map((candidate): Place => ({ candidate, slot: form.subject }));
  const [own, isPlay] = [places.length, isPlaying(relationsOf(words[at]?.root ?? ""))];
  const more: Reading[] = [];
  let slot = form.object;
  let index = at + 1;
  for (; index < at + reach && isHere(scene, index, at); index += 1) {
    const gap = gapBefore(scene, index);
    const word = words[index];
    if (!word || /[;:]/.test(gap)) break;
    const mark = starts.get(index);
    if (mark) {
      // "With Ann Lee as Mia" is read of its own.
      if (isPlay && words[mark.to]?.norm === "as") break;
      const isNext = gap.includes(",") || words[index - 1]?.norm === "and";
      if (isNext && form.object === "done" && places.length > own && countNames(scene, index) > 1) {
        more.push(...readGapped(scene, index));
        break;
      }
      places.push({ candidate: mark.candidate, slot: gap.includes("(") ? "beside" : slot });
      index = mark.to - 1;
      continue;
    }
    const { norm } = word;
    const isNoun = form.subject === "beside";
    if (isBe(norm) && isNoun) {
      // "Her first novel was X", "the score is by Ann Lee"
      slot = "done";
      continue;
    }
    if (opensClause(norm) || isBe(norm) || shows(norm)) break;
    if (isPastForm(word) && index > at + 1 && words[index + 1]?.norm !== "by") break;
    const next = norm === "and" && form.isPassive && slot === "doer" ? readNextPassive(scene, index + 1) : null;
    if (next !== null) {
      more.push(next);
      break;
    }
    const hasDoer = places.some((place) => place.slot === "doer");
    if (norm === "by") slot = !hasDoer && (form.isPassive || isNoun) ? "doer" : "beside";
    else if (/^(with|alongside|beside)$/.test(norm)) slot = "with";
    else if (norm === "as") slot = form.isPassive ? "beside" : "done";
    else if (norm === "of") slot = isNoun ? "done" : slot === "doer" ? "doer" : "beside";
    else if (isPreposition(word)) slot = "beside";
  }
  return [{ places, from: subject.from, to: index }, ...more];
}

/** "Tom is played by Ann Lee, and Mia by Bo Chen": the second. */
function readNextPassive(scene: Scene, from: number): Reading | null {
  const places: Place[] = [];
  let slot: Slot = "done";
  let at = from;
  for (; at < from + reach && isHere(scene, at, from); at += 1) {
    const mark = scene.starts.get(at);
    const word = scene.words[at];
    if (!word || (at > from && /[,;:(]/.test(gapBefore(scene, at)))) break;
    if (mark) {
      places.push({ candidate: mark.candidate, slot });
      at = mark.to - 1;
    } else if (word.norm === "by") slot = "doer";
    else if (isPastForm(word) || opensClause(word.norm) || isBe(word.norm)) break;
  }
  return slot === "doer" && places.some((place) => place.slot === "done") ? { places, from, to: at } : null;
}

/** How many names stand before the next comma or verb. */
function countNames(scene: Scene, from: number): number {
  let count = 0;
  for (let at = from; at < from + longestPair && isHere(scene, at, from); at += 1) {
    if (at > from && /[,;:(]/.test(gapBefore(scene, at))) break;
    const word = scene.words[at];
    if (!word || word.norm === "and" || isPastForm(word) || isBe(word.norm) || isPreposition(word)) break;
    const mark = scene.starts.get(at);
    if (!mark) continue;
    count += 1;
    at = mark.to - 1;
  }
  return count;
}

/** "Bo Chen the baker Tom, and Cy Dee Mia": each does something to the next. */
function readGapped(scene: Scene, from: number): readonly Reading[] {
  const found: Reading[] = [];
  let at = from;
  for (let step = 0; step < mostGapped; step += 1) {
    if (scene.words[at]?.norm === "and") at += 1;
    if (!isHere(scene, at, from) || countNames(scene, at) < 2) break;
    const pair = readPair(scene, at);
    found.push(pair);
    at = pair.to;
  }
  return found;
}

/** "Ann Lee as Mia": who plays whom, where the word before "as" ends a name. */
export function readCast(scene: Scene, at: number): Reading | null {
  const mark = scene.words[at]?.norm === "as" ? scene.ends.get(at) : undefined;
  return mark?.sentence === scene.words[at]?.sentence && mark !== undefined ? readPair(scene, mark.from) : null;
}

/** The first name does something to the others, up to a comma. */
function readPair(scene: Scene, from: number): Reading {
  const places: Place[] = [];
  let at = from;
  for (; at < from + longestPair && isHere(scene, at, from); at += 1) {
    const mark = scene.starts.get(at);
    const word = scene.words[at];
    if (at > from && /[,;:(]/.test(gapBefore(scene, at))) break;
    if (mark) {
      places.push({ candidate: mark.candidate, slot: places.length === 0 ? "doer" : "done" });
      at = mark.to - 1;
    } else if (!word || /^(and|in)$/.test(word.norm) || isPastForm(word)) break;
  }
  return { places, from, to: at };
}
