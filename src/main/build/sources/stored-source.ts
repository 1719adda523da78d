import { z } from "zod";
import { sourceSchema } from "#contract";

/**
 * A position in the content from which rows can be read: before the byte `offset` there are `rows` rows. There is one
 * at least every `checkpointBytes`, so that any row of a large file is a seek and a short read away.
 */
const checkpointSchema = z.tuple([z.int().min(0), z.int().min(0)]);
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const checkpointBytes = 128 * 1024;

/** What a pass over the content finds out about a source. */
const sourceIndexSchema = sourceSchema
  .pick({
    kind: true,
    holds: true,
    rowCount: true,
    columns: true,
    csv: true,
    encoding: true,
    sheet: true,
    sheets: true,
    notes: true,
  })
  .extend({
    /** The file with its rows, in the folder of the source: the original, or what was made of it. */
    content: z
      .string()
      .regex(/^content[\w.-]*$/)
      .default("content"),
    checkpoints: z.array(checkpointSchema).min(1),
  });
export type SourceIndex = z.infer<typeof sourceIndexSchema>;

/** How far the reading of a new source is, in bytes and rows; what was found at its end. */
export const indexEventSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("reading"), bytes: z.int(), total: z.int(), rows: z.int() }),
  z.object({ phase: z.literal("indexed"), index: sourceIndexSchema }),
]);
export type IndexEvent = z.infer<typeof indexEventSchema>;
/** How far a pass over a source is. */
export type Reading = Extract<IndexEvent, { phase: "reading" }>;

/** A source as it is stored next to its content: what the page gets of it, and how its rows are found. */
export const storedSourceSchema = sourceSchema.omit({ editedLines: true }).extend({
  ...sourceIndexSchema.shape,
  /** Lines of a file of requests that were edited, by number: they are read in the place of those of the file. */
  edits: z.record(z.string(), z.string()).default({}),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type StoredSource = z.infer<typeof storedSourceSchema>;

/** One row as it is read. */
export const rowSchema = z.object({
  /** From 1. */
  number: z.int(),
  /** In the order of the source's columns. */
  cells: z.array(z.string()).readonly(),
  /** Why this row can't be used, as a sentence; null for a sound one. Its cells then hold what could be read. */
  fault: z.string().nullable(),
});
export type Row = Readonly<z.infer<typeof rowSchema>>;
