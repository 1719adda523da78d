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

/** Two starting points that follow from a seed and a request: one for the answer, one for the time it takes. */
export function deriveStarts(seed: number, request: unknown): { answer: number; pace: number } {
  const digest = hash("sha256", `${seed}\n${JSON.stringify(request)}`, "buffer");
  return { answer: digest.readUInt32LE(0), pace: digest.readUInt32LE(4) };
}
