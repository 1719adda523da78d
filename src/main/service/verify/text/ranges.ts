import type { Range } from "../types.ts";

/** Those of some ranges that lie within another. They must be in the order of the text and apart. */
export function within<Item extends Range>(items: readonly Item[], { start, end }: Range): readonly Item[] {
  const from = firstFrom(items, start);
  let to = from;
  while ((items[to]?.end ?? Number.POSITIVE_INFINITY) <= end) to += 1;
  return items.slice(from, to);
}

/** The index of the first of some ranges that starts at a place or after it; their number where none does. They must be in the order of the text. */
export function firstFrom(items: readonly Range[], start: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
