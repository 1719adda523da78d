/** Numbers that follow from a seed. */
export interface Random {
  /** From 0 to `end` - 1. */
  below(end: number): number;
  oneOf<T>(items: readonly T[]): T;
  /** True in `share` of the cases. */
  chance(share: number): boolean;
}

/** The seed of this run: SHEAF_SEED, else a new one. It is printed, so that a failure can be repeated. */
export function readSeed(): number {
  const given = Number.parseInt(process.env.SHEAF_SEED ?? "", 10);
  return Number.isSafeInteger(given) ? given : Math.floor(Math.random() * 2 ** 31);
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    oneOf(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to choose from.");
      return item;
    },
    chance: (share) => next() < share,
  };
}
