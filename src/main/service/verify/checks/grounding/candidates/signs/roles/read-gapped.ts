import { gapBefore, isHere, type Mark, type Place, type Reading, type Scene, type Slot } from "./scene.ts";
import { isBe, isPastForm, isPreposition, opensClause } from "./verb-forms.ts";

const mostGapped = 6;
/** In words: "the playwright Tom Reed and". */
const longestPair = 12;

/** "Tom is played by Ann Lee, [Mia by Bo Chen and the baker by Cy Dee]": each is done by the next. */
export function readGappedPassives(scene: Scene, from: number): readonly Reading[] {
  const found: Reading[] = [];
  let at = from;
  for (let step = 0; step < mostGapped; step += 1) {
    if (scene.words[at]?.norm === "and") at += 1;
    const next = readNextPassive(scene, at);
    if (next === null) break;
    found.push(next);
    at = next.to;
  }
  return found;
}

/** "Mia by Bo Chen", "its bank by Cy Dee", "The Long Ferry (1971) by Eva Lunde". */
function readNextPassive(scene: Scene, from: number): Reading | null {
  const places: Place[] = [];
  let slot: Slot = "done";
  let isTold = false;
  let at = from;
  for (; at < from + longestPair && isHere(scene, at, from); at += 1) {
    const mark = scene.starts.get(at);
    const word = scene.words[at];
    const gap = gapBefore(scene, at);
    if (!word || (at > from && (/[,;:]/.test(gap) || (gap.includes("(") && !word.isNumber)))) break;
    if (slot === "doer" && word.norm === "and" && countNames(scene, at + 1) !== 1) break;
    if (mark) {
      places.push({ candidate: mark.candidate, slot });
      at = mark.to - 1;
      isTold = true;
    } else if (word.norm === "by") {
      if (!isTold) return null;
      slot = "doer";
    } else if (isPastForm(word) || opensClause(word.norm) || isBe(word.norm)) return null;
    else isTold ||= !word.isFunction;
  }
  return places.some((place) => place.slot === "doer") ? { places, from, to: at } : null;
}

/** "Ann Lee played guitar and [Bo Chen bass]": who does it to what no name is said of. */
export function readGappedObject(scene: Scene, mark: Mark): Reading | null {
  const { words } = scene;
  const [before, word] = [words[mark.from - 1], words[mark.to]];
  if (!mark.isActor || (before?.norm !== "and" && !gapBefore(scene, mark.from).includes(","))) return null;
  if (!word || !isHere(scene, mark.to, mark.from) || word.isFunction || word.isCapital || word.isNumber) return null;
  if (/[,;:()'’"]/.test(gapBefore(scene, mark.to)) || isPastForm(word) || word.norm.endsWith("ing")) return null;
  let to = mark.to + 1;
  while (to < mark.to + longestPair && goesOn(scene, to)) to += 1;
  return { places: [{ candidate: mark.candidate, slot: "doer" }], from: mark.from, to };
}

function goesOn(scene: Scene, at: number): boolean {
  return isHere(scene, at, at - 1) && scene.words[at]?.norm !== "and" && !/[,;:(]/.test(gapBefore(scene, at));
}

/** How many names stand before the next comma or verb. */
export function countNames(scene: Scene, from: number): number {
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
export function readGapped(scene: Scene, from: number): readonly Reading[] {
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
