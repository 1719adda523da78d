import type { Range } from "../types.ts";

/** Those of some ranges that lie within another. They must be in the order of the text and apart. */
export function within<Item extends Range>(items: readonly Item[], { start, end }: Range): readonly Item[] {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while ((items[to]?.end ?? Number.POSITIVE_INFINITY) <= end) to += 1;
  return items.slice(low, to);
}
