import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The folder of the odd tables; its README.md says what their list means. */
export const tablesFolder = join(import.meta.dirname, "tables");

const oddTableSchema = z.object({
  file: z.string(),
  kind: z.string(),
  options: z.record(z.string(), z.string()).default({}),
  header: z.array(z.string()).optional(),
  rows: z.int().optional(),
  /** By the number of the row, from 0, or `last`. A list has all texts that are right, and null is not compared. */
  cells: z.record(z.string(), z.array(z.union([z.string(), z.null(), z.array(z.string())]))).default({}),
  refused: z.string().optional(),
  faults: z.array(z.tuple([z.int(), z.int()])).default([]),
  says: z.string().optional(),
});
export type OddTable = z.infer<typeof oddTableSchema>;

export function listOddTables(): OddTable[] {
  const text = readFileSync(join(tablesFolder, "tables.json"), "utf8");
  return z.array(oddTableSchema).parse(JSON.parse(text));
}

/** A table as it is called in the results of tests: its file, and what is chosen. */
export function nameOddTable({ file, options }: OddTable): string {
  return [file, ...Object.values(options)].join(" ");
}
