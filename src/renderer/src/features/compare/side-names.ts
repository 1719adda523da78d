/**
 * Short names for the batches that are compared, in their order: without the words that all of their names begin with, and
 * numbered where two have the same one.
 */
export function nameSides(names: readonly string[]): string[] {
  const [first = "", ...others] = names.map((name) => name.trim());
  const words = first.split(/(?<=[\s·:–,-])(?=\S)/u);
  let start = "";
  for (const word of words.slice(0, -1)) {
    const longer = start + word;
    if (others.length === 0 || !others.every((name) => name.startsWith(longer) && name.length > longer.length)) break;
    start = longer;
  }
  const short = names.map((name) => name.trim().slice(start.length));
  return short.map((name, place) => {
    const before = short.slice(0, place).filter((one) => one === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}
