/** The Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** Names are mistyped most often in capitals, spaces and punctuation. */
function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The one of `names` that was probably meant by `name`; undefined where none is near. */
export function findClosest(name: string, names: readonly string[]): string | undefined {
  const wanted = simplify(name);
  let best: { name: string; steps: number } | undefined;
  for (const candidate of names) {
    const steps = distance(wanted, simplify(candidate));
    if (best === undefined || steps < best.steps) best = { name: candidate, steps };
  }
  return best !== undefined && best.steps <= Math.max(1, Math.floor(wanted.length / 2)) ? best.name : undefined;
}
