import { z } from "zod";
import { csvLayoutSchema, type SourceRow, sourceSchema } from "#contract";
import { contentNameSchema, contentsSchema } from "#main/batches";

/**
 * A position in the content from which rows can be read: before the byte `offset` there are `rows` rows. There is one
 * at least every `checkpointBytes`, so that any row of a large file is a seek and a short read away.
 */
const checkpointSchema = z.tuple([z.int().min(0), z.int().min(0)]);
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const checkpointBytes = 128 * 1024;

/** The result of a pass over the content of a source. */
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
    valuesAsShown: true,
    visibleRowsOnly: true,
    notes: true,
  })
  .extend({
    /** The file with its rows, in the folder of the source: the original, or its conversion. */
    content: contentNameSchema.default("content"),
    checkpoints: z.array(checkpointSchema).min(1),
    /** Of rows of JSON: the keys that lead to each column. An earlier version had names alone, with dots between keys. */
    paths: z.array(z.array(z.string())).optional(),
  });
export type SourceIndex = z.infer<typeof sourceIndexSchema>;

/** The progress of reading a new source, in bytes and rows; the result at its end. */
export const indexEventSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("reading"), bytes: z.int(), total: z.int(), rows: z.int() }),
  z.object({ phase: z.literal("indexed"), index: sourceIndexSchema }),
]);
export type IndexEvent = z.infer<typeof indexEventSchema>;
/** The progress of a pass over a source. */
export type Reading = Extract<IndexEvent, { phase: "reading" }>;

/** An earlier version stored only whether the first row names the columns. */
const storedCsvSchema = z.preprocess((csv) => {
  const { header } = z.object({ header: z.boolean() }).safeParse(csv).data ?? {};
  return header === undefined ? csv : { ...z.looseObject({}).parse(csv), header: header ? 1 : null };
}, csvLayoutSchema.nullable());

/** A source as it is stored next to its content: what the page gets of it, and how its rows are found. */
export const storedSourceSchema = sourceSchema.omit({ editedLines: true }).extend({
  ...sourceIndexSchema.shape,
  csv: storedCsvSchema,
  /** True for requests that the app made once: they may be more than those of an uploaded file. */
  generated: z.boolean().default(false),
  /** Edited lines of a file of requests, by number: they replace those of the file. */
  edits: z.record(z.string(), z.string()).default({}),
  /** By the names of its files; an earlier version had none. */
  contents: contentsSchema.default({}),
  /** Unix milliseconds. */
  createdAt: z.number(),
});
export type StoredSource = z.infer<typeof storedSourceSchema>;

/** What a pass reads of a source: a stored one, or the index of a table that is not stored. */
export type PassSource = SourceIndex &
  Pick<StoredSource, "bytes"> &
  Partial<Pick<StoredSource, "edits" | "replacements">>;

/** Whether a batch file of this source is one that the app makes, and not its user. */
export function givesGeneratedFile({ holds, generated }: Pick<StoredSource, "holds" | "generated">): boolean {
  return holds === "rows" || generated;
}

/** One row as it is read. */
export const rowSchema = z.object({
  /** From 1. */
  number: z.int(),
  /** In the order of the source's columns. */
  cells: z.array(z.string()).readonly(),
  /** Why this row can't be used, as a sentence, with what could be read in its cells; null for a valid row. */
  fault: z.string().nullable(),
});
export type Row = Readonly<z.infer<typeof rowSchema>> & {
  /** The cells with their types, where the file has some; a number as JSON's own or, to keep its digits, as raw JSON. */
  readonly values?: readonly unknown[];
};

/** A row as the page gets it: its cells by column. */
export function toSourceRow({ number, cells }: Row, columns: readonly string[]): SourceRow {
  return { row: number, cells: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])) };
}
