import { z } from "zod";

/** The label that was expected of a line, and the one that was given: null for any other text. */
export type LabelPair = readonly [expected: string, given: string | null];

const pairSchema = z.tuple([z.string(), z.string().nullable()]);

export function fromPairKey(key: string): LabelPair {
  return pairSchema.parse(JSON.parse(key));
}

/** Of an answer that is a list of labels: one that it has, misses or has too much, or has where another was expected. */
const listKeySchema = z.union([
  z.strictObject({ right: z.string() }),
  z.strictObject({ missed: z.string() }),
  z.strictObject({ extra: z.string() }),
  z.strictObject({ missed: z.string(), given: z.string().nullable() }),
]);
export type ListKey = z.infer<typeof listKeySchema>;

/** Why an answer failed, where that is no other value. */
const failureSchema = z.strictObject({ failure: z.string().nullable() });

/** A key of what a run counts, as it is stored. */
export type TallyKey = LabelPair | ListKey | z.infer<typeof failureSchema>;
const tallyKeySchema = z.union([pairSchema, listKeySchema, failureSchema]);

export function toTallyKey(key: TallyKey): string {
  return JSON.stringify(key);
}

export function fromTallyKey(key: string): TallyKey {
  return tallyKeySchema.parse(JSON.parse(key));
}

/** Whether a key is that of a pair, of which a line has one. */
export function isPairKey(key: string): boolean {
  return key.startsWith("[");
}
