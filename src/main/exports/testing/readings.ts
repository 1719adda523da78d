import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What independent readers have read of the exports; `independent-readers.soak.ts` writes it. */
export const readingsFile = join(import.meta.dirname, "readings.jsonl");

/** What was read of a file. */
interface Reading {
  readonly columns: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

/** How many rows a reading has, and the hash of each column's cells. Equal digests have equal cells. */
export function digest({ columns, rows }: Reading) {
  const hashOf = (cells: unknown) =>
    createHash("sha256").update(JSON.stringify(cells)).digest("base64url").slice(0, 12);
  // A row with more or fewer cells than columns changes the hash of the widths.
  const widths = hashOf(rows.map((row) => row.length));
  const hashes = columns.map((column, at) => [column, hashOf(rows.map((row) => row[at] ?? null))]);
  return { rows: rows.length, widths, columns: hashes };
}

/** A line about each file. */
export function formatReadings(readings: Readonly<Record<string, Reading>>): string {
  const lines = Object.entries(readings).map(([file, { columns, rows, ...about }]) => ({
    file,
    ...digest({ columns, rows }),
    ...about,
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The digests of the readings, by the names of their files. */
export async function readReadings(): Promise<ReadonlyMap<string, ReturnType<typeof digest>>> {
  const lines = (await readFile(readingsFile, "utf8")).trimEnd().split("\n");
  const found = lines.map((line) => JSON.parse(line) as ReturnType<typeof digest> & { readonly file: string });
  return new Map(found.map(({ file, rows, widths, columns }) => [file, { rows, widths, columns }]));
}
