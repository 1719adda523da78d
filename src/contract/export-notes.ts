import { z } from "zod";
import { formatCount } from "./format.ts";

/** What the user of an exported file should know of it. */
export const exportNotesSchema = z.object({
  /** Columns with numbers that were written as text, because the format would round them, each with such a number. */
  textColumns: z.array(z.object({ column: z.string(), number: z.string() })).optional(),
  /** Lines that were left out, because their answers are damaged on disk. */
  damaged: z.int().optional(),
  /** Whether the columns of the table are missing that the batch was built from: the table is gone, or damaged. */
  lostTable: z.boolean().optional(),
  /** Rows whose cells of the table's columns are empty: the table has no such row, or it can't be read. */
  rowsWithoutTable: z.int().optional(),
  /** Fields of answers that got no column, because there are too many. */
  fieldsLeftOut: z.int().optional(),
});
export type ExportNotes = z.infer<typeof exportNotesSchema>;
export type TextColumns = NonNullable<ExportNotes["textColumns"]>;

/** Describes what an exported file lacks, one sentence each. `table` names the table that lacks rows. */
export function describeMissing(
  { damaged = 0, lostTable = false, rowsWithoutTable = 0, fieldsLeftOut = 0 }: ExportNotes,
  table = "the table that the batch was built from",
): string[] {
  return [
    ...(damaged > 0 ? [`Left out: ${formatCount(damaged, "answer")} damaged on disk. Retry asks again.`] : []),
    ...(lostTable
      ? ["The columns of its table are missing: the table is gone or damaged. Join its file by custom_id."]
      : []),
    ...(rowsWithoutTable > 0
      ? [
          `${formatCount(rowsWithoutTable, "row has", "rows have")} empty cells in the columns of ${table}: it lacks their rows.`,
        ]
      : []),
    ...(fieldsLeftOut > 0
      ? [`${formatCount(fieldsLeftOut, "field")} of answers got no column of their own: the column answer has them.`]
      : []),
  ];
}

/** All that the user should know of an exported file, what is missing first. */
export function describeExport(notes: ExportNotes): string[] {
  return [...describeMissing(notes), ...describeTextColumns(notes.textColumns ?? [])];
}

export function describeTextColumns(columns: TextColumns): string[] {
  return columns.map(({ column, number }) => `${column} has numbers as text: ${number} would be rounded.`);
}
