import { relationsOf } from "../../relations.ts";
import { isPlaying } from "./read-frame.ts";
import { countNames, readGapped, readGappedObject, readGappedPassives } from "./read-gapped.ts";
import type { Subject } from "./read-subject.ts";
import { gapBefore, isHere, type Place, type Reading, reach, type Scene, type Slot } from "./scene.ts";
import { isBe, isPastForm, isPreposition, opensClause, shows } from "./verb-forms.ts";

/** How a verb, or a noun of a deed, is put. */
export interface Form {
  readonly subject: Slot;
  readonly object: Slot;
  readonly isPassive: boolean;
}

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
    if (form.isPassive && slot === "doer" && (word.norm === "and" || gap.includes(","))) {
      const next = readGappedPassives(scene, index);
      if (next.length > 0) {
        more.push(...next);
        break;
      }
    }
    const gapped = mark && form.subject === "doer" && index > at + 1 ? readGappedObject(scene, mark) : null;
    if (gapped !== null) {
      more.push(gapped);
      index = gapped.to - 1;
      continue;
    }
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
    const hasDoer = places.some((place) => place.slot === "doer");
    if (norm === "by") slot = !hasDoer && (form.isPassive || isNoun) ? "doer" : "beside";
    else if (/^(with|alongside|beside)$/.test(norm)) slot = "with";
    else if (norm === "as") slot = form.isPassive ? "beside" : "done";
    else if (norm === "of") slot = isNoun ? "done" : slot === "doer" ? "doer" : "beside";
    else if (isPreposition(word)) slot = "beside";
  }
  return [{ places, from: subject.from, to: more[0]?.from ?? index }, ...more];
}
