import { gapBefore, isHere, type Place, type Reading, type Scene, type Slot } from "./scene.ts";
import { isBe, isPastForm, isPreposition, opensClause } from "./verb-forms.ts";

/** So far from the noun its names are looked for. In words. */
const [farthestBefore, farthestAfter] = [8, 14];

/** "The founder of X, Ann Lee", "director Ann Lee", "Ann Lee, founder of X", "Ann Lee was the founder of X". */
export function readDoerNoun(scene: Scene, at: number): Reading {
  const before = readBefore(scene, at);
  const after = readAfter(
    scene,
    at,
    before.places.some(({ slot }) => slot === "doer"),
  );
  return { places: [...before.places, ...after.places], from: before.from, to: after.to };
}

function readBefore(scene: Scene, at: number): Reading {
  const { words, ends, topic } = scene;
  for (let index = at - 1; index >= at - farthestBefore && isHere(scene, index, at); index -= 1) {
    const word = words[index];
    const mark = ends.get(index + 1);
    if (mark?.isActor) {
      const slot = readSlotBefore(scene, index + 1, at);
      const places = slot === null ? [] : [{ candidate: mark.candidate, slot }];
      return { places, from: mark.from, to: at };
    }
    const isAboutTopic = /^(he|she|it|they)$/.test(word?.norm ?? "") || (isBe(word?.norm ?? "") && !ends.has(index));
    if (isAboutTopic && topic !== null) return { places: [{ candidate: topic, slot: "doer" }], from: index, to: at };
    if (word && (opensClause(word.norm) || isPastForm(word))) return { places: [], from: index, to: at };
  }
  return { places: [], from: at, to: at };
}

/** "X's director", "Ann Lee, the director", "Ann Lee was the director", "Halden director". */
function readSlotBefore(scene: Scene, from: number, at: number): Slot | null {
  const gap = gapBefore(scene, from);
  const linking = scene.words.slice(from, at);
  if (/['’]/.test(gap)) return "done";
  if (gap.includes(",") || linking.some(({ norm }) => isBe(norm) || /^(as|became)$/.test(norm))) return "doer";
  return linking.some(({ isFunction }) => isFunction) ? null : "beside";
}

function readAfter(scene: Scene, at: number, isHeld: boolean): Reading {
  const places: Place[] = [];
  let hasDoer = isHeld;
  let slot: Slot = "doer";
  let to = at + 1;
  for (; to < at + farthestAfter && isHere(scene, to, at); to += 1) {
    const gap = gapBefore(scene, to);
    const word = scene.words[to];
    if (!word || /[;:(]/.test(gap)) break;
    const mark = scene.starts.get(to);
    if (mark) {
      const isApposition = gap.includes(",") && slot === "done";
      if (isApposition && hasDoer) break;
      const own: Slot = isApposition ? "doer" : slot;
      places.push({ candidate: mark.candidate, slot: own });
      hasDoer ||= own === "doer";
      to = mark.to - 1;
      continue;
    }
    if (opensClause(word.norm) || isPastForm(word)) break;
    if (/^(of|for|to)$/.test(word.norm)) slot = "done";
    else if (isPreposition(word)) slot = "beside";
    else if (isBe(word.norm)) slot = hasDoer ? "beside" : "doer";
  }
  return { places, from: at, to };
}
