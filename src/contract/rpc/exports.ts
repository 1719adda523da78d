import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { csvOptionsSchema } from "../csv-options.ts";
import { mostShownColumns } from "../default-columns.ts";
import { exportNotesSchema } from "../export-notes.ts";
import { resultFilterSchema, resultSortSchema } from "../result-filter.ts";
import { monthSchema } from "../wire/cost-report.ts";
import { buildInputSchema } from "./build.ts";
import { comparedBy, comparedIds, comparisonFilterSchema } from "./compare.ts";
import { procedure } from "./errors.ts";

/** `jsonl`, the usual one: lines as on the wire. `flat`: an object a line with a member for each column. */
export const exportFormatSchema = z.enum(["jsonl", "flat", "csv", "xlsx", "parquet"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

/** What can be written to a file of the user's choice. */
export const exportRequestSchema = z.discriminatedUnion("what", [
  /** The batch input file that Build would submit. */
  z.object({ what: z.literal("input"), build: buildInputSchema, name: z.string().max(200) }),
  /** The result of a batch: the lines as they are on the wire, or a table of them. */
  z.object({
    what: z.literal("results"),
    batchId: z.string(),
    format: exportFormatSchema.optional(),
    /** Of a table: paths as in the results table (`answer.score`, `source.name`); all there are by default. */
    columns: z.array(z.string().min(1)).min(1).max(mostShownColumns).optional(),
    /** Whether all other columns that there are come beside these. */
    withOthers: z.boolean().optional(),
    /** All lines by default. */
    filter: resultFilterSchema.optional(),
    /** Default: the order of the input. */
    sort: resultSortSchema.optional(),
    /** How a CSV file is written. */
    csv: csvOptionsSchema.optional(),
    /** With what its retries have answered. */
    merged: z.boolean().optional(),
  }),
  /** Lines that batches have in common, with the answers of each. */
  z.object({
    what: z.literal("comparison"),
    ids: comparedIds,
    by: comparedBy.optional(),
    filter: comparisonFilterSchema,
    format: z.enum(["csv", "xlsx"]).default("csv"),
  }),
  /** What a month cost: a row for each day, connection, model and kind. */
  z.object({ what: z.literal("costs"), month: monthSchema }),
  /** A file of the service, as it is. */
  z.object({ what: z.literal("file"), fileId: z.string() }),
  /** Requests of the server's log, a line each, in the order of the ids; those that are no longer kept are left out. */
  z.object({ what: z.literal("requests"), ids: z.array(z.string()).min(1).max(1_000) }),
]);
export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** Where an export went. The desktop app writes the file itself; a browser is given a link that works once. */
export const exportOutcomeSchema = z.discriminatedUnion("how", [
  z.object({
    how: z.literal("saved"),
    /** For `showInFolder`. */
    id: z.string(),
    path: z.string(),
    lines: z.int(),
    /** The file beside it that lists what is missing; not there where nothing is. */
    noteFile: z.string().optional(),
    ...exportNotesSchema.shape,
  }),
  z.object({ how: z.literal("link"), href: z.string(), fileName: z.string(), ...exportNotesSchema.shape }),
  z.object({ how: z.literal("cancelled") }),
]);
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>;

/** How far an export is: the rows are read twice, first for the columns that a table gets. */
export const exportProgressSchema = z.object({
  how: z.literal("writing"),
  step: z.enum(["reading", "writing"]),
  rows: z.int(),
  total: z.int(),
});
export type ExportProgress = z.infer<typeof exportProgressSchema>;

export const exportsContract = {
  begin: procedure.input(exportRequestSchema).output(exportOutcomeSchema),
  /** The same, with its progress ten times a second; ends with its outcome. */
  follow: procedure
    .input(exportRequestSchema)
    .output(eventIterator(z.union([exportProgressSchema, exportOutcomeSchema]))),
  /** Shows the file of an export in its folder, in the desktop app. */
  showInFolder: procedure.input(z.object({ id: z.string() })),
};
