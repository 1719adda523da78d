import { z } from "zod";
import { sourceSchema } from "#contract";

/**
 * A place in the content from which rows can be read: before the byte `offset` there are `rows` rows. There is one
 * at least every `checkpointBytes`, so that any row of a large file is a seek and a short read away.
 */
const checkpointSchema = z.tuple([z.int().min(0), z.int().min(0)]);
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const checkpointBytes = 128 * 1024;

/** A source as it is kept beside its content: what the page is told of it, and how its rows are found. */
export const storedSourceSchema = sourceSchema.extend({
  checkpoints: z.array(checkpointSchema).min(1),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type StoredSource = z.infer<typeof storedSourceSchema>;

/** One row as it is read. `number` counts from 1; `cells` stand in the order of the source's columns. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
  /** Why this row can't be used, as a sentence; null for a sound one. Its cells then hold what could be read. */
  readonly fault: string | null;
}
