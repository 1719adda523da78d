import { hash } from "node:crypto";

/** Numbers that look random and follow from where they start. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, fast, and even enough to choose phrases by. */
export function createRandom(start: number): Random {
  let state = start | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
  };
}

/**
 * A random sample of `wanted` of `count` items in one pass: call the answer once for each item in turn, and it says whether
 * that one is in the sample. All items are equally likely (selection sampling, Knuth's algorithm S).
 */
export function createSample(count: number, wanted: number, start: number): () => boolean {
  const random = createRandom(start);
  let left = wanted;
  let ahead = count;
  return () => {
    const isChosen = random.next() * ahead < left;
    ahead -= 1;
    if (isChosen) left -= 1;
    return isChosen;
  };
}

/** Where the random numbers of an answer begin, and those of the time it takes. */
export interface Starts {
  readonly answer: number;
  readonly pace: number;
}

/** Starting points that follow from a seed and what is asked. */
export function deriveStarts(seed: number, about: unknown): Starts {
  return deriveStartsFrom(seed, JSON.stringify(about));
}

/** The same, of what is text already. */
export function deriveStartsFrom(seed: number, text: string): Starts {
  const digest = hash("sha256", `${seed}\n${text}`, "buffer");
  return { answer: digest.readUInt32LE(0), pace: digest.readUInt32LE(4) };
}
