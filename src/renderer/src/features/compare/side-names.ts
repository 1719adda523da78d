import type { BatchView } from "#contract";

/** The names of compared batches, in their order. A deleted batch has none, and is named as gone. */
export function namesOf(ids: readonly string[], batches: readonly BatchView[]): string[] {
  return ids.map((id) => batches.find((batch) => batch.id === id)?.name ?? "no longer there");
}

export interface SideNames {
  /** The words that all names begin with. */
  readonly start: string;
  /** The names without these words, in the order of the batches. */
  readonly names: readonly string[];
}

/** Shortens the names of compared batches by the words that all of them begin with. */
export function nameSides(given: readonly string[]): SideNames {
  const names = given.map((name) => name.trim());
  const [first = "", ...others] = names;
  const words = first.split(/(?<=[\s·:–,-])(?=\S)/u);
  let start = "";
  for (const word of words.slice(0, -1)) {
    const longer = start + word;
    if (others.length === 0 || !others.every((name) => name.startsWith(longer) && name.length > longer.length)) break;
    start = longer;
  }
  // All have the same name: their letters tell them apart.
  if (names.every((name) => name === first)) start = "";
  return { start: start.replace(/[\s·:–,-]+$/u, ""), names: names.map((name) => name.slice(start.length)) };
}
