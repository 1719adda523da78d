import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/** How a table of text is laid out. Guessed from its first bytes; what the user sets wins. */
export const csvLayoutSchema = z.object({
  delimiter: z.enum([",", ";", "\t", "|"]),
  header: z.boolean(),
});
export type CsvLayout = z.infer<typeof csvLayoutSchema>;

/**
 * A file of questions that Build reads. `rows` fill a prompt; `requests` is a file that is a batch input
 * already and is sent as it stands.
 */
export const sourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["csv", "jsonl"]),
  holds: z.enum(["rows", "requests"]),
  bytes: z.int(),
  rowCount: z.int(),
  columns: z.array(z.string()),
  csv: csvLayoutSchema.nullable(),
  encoding: z.enum(["utf-8", "utf-16le", "windows-1252"]),
});
export type Source = z.infer<typeof sourceSchema>;

/** How far the reading of an uploaded file is, in bytes and rows; the source at its end. */
export const sourceProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("reading"), bytes: z.int(), total: z.int(), rows: z.int() }),
  z.object({ phase: z.literal("read"), source: sourceSchema }),
]);
export type SourceProgress = z.infer<typeof sourceProgressSchema>;

/** One row: the text of each cell by column; for a file of requests, the raw line under `line`. */
export const sourceRowSchema = z.object({ row: z.int(), cells: z.record(z.string(), z.string()) });
export type SourceRow = z.infer<typeof sourceRowSchema>;

/** The most bytes of one `append`. */
export const sourceChunkBytes = 1024 * 1024;

export const sourcesContract = {
  /** Starts the upload of a dropped file. The name decides between CSV and JSONL where the content does not. */
  begin: procedure.input(z.object({ name: z.string().min(1).max(255) })).output(z.object({ id: z.string() })),
  /** The next bytes, in order: `offset` is how many went before. */
  append: procedure
    .input(
      z.object({
        id: z.string(),
        offset: z.int().min(0),
        chunk: z.instanceof(Blob).refine((blob) => blob.size <= sourceChunkBytes, "A chunk holds at most 1 MiB."),
      }),
    )
    .output(z.object({ bytes: z.int() })),
  /**
   * Ends the upload: guesses the layout, counts and indexes the rows. Ends after the event that has the source. Abort it to
   * stop the work: nothing is left of the file then.
   */
  finish: procedure.input(z.object({ id: z.string() })).output(eventIterator(sourceProgressSchema)),
  /** Drops an upload that is not finished, or a source that no draft uses. */
  discard: procedure.input(z.object({ id: z.string() })),
  get: procedure.input(z.object({ id: z.string() })).output(sourceSchema),
  /** Reads the source anew with another layout. */
  setLayout: procedure.input(z.object({ id: z.string(), csv: csvLayoutSchema })).output(sourceSchema),
  rows: procedure
    .input(z.object({ id: z.string(), offset: z.int().min(0), limit: z.int().min(1).max(200) }))
    .output(z.object({ total: z.int(), rows: z.array(sourceRowSchema) })),
  /** Copies a shipped example in as a source. */
  example: procedure.input(z.object({ name: z.enum(["gsm8k-200"]) })).output(sourceSchema),
};
