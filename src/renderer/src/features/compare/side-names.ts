/** Short names for the batches that are compared, in their order, and the words that all of the names begin with, which they lack. */
export interface SideNames {
  readonly start: string;
  readonly names: readonly string[];
}

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
