import { z } from "zod";

/** The label that was expected of a line, and the one that was given: null for any other text. */
export type LabelPair = readonly [expected: string, given: string | null];

/** A pair as the key that it is counted by. */
export function toPairKey(pair: LabelPair): string {
  return JSON.stringify(pair);
}

const pairSchema = z.tuple([z.string(), z.string().nullable()]);

export function fromPairKey(key: string): LabelPair {
  return pairSchema.parse(JSON.parse(key));
}
