import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What independent readers have read of the exports; `independent-readers.soak.ts` writes it. */
export const readingsFile = join(import.meta.dirname, "readings.jsonl");

/** What was read of a file. */
interface Reading {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A line about each file, and behind it one for each of its rows, so that a change of one is a line of a diff. */
export function formatReadings(readings: Readonly<Record<string, Reading>>): string {
  const lines = Object.entries(readings).flatMap(([file, { rows, ...about }]) => [{ file, ...about }, ...rows]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The readings, by the names of their files. */
export async function readReadings(): Promise<ReadonlyMap<string, Reading>> {
  const readings = new Map<string, { columns: readonly string[]; rows: unknown[][] }>();
  let rows: unknown[][] = [];
  for (const text of (await readFile(readingsFile, "utf8")).trimEnd().split("\n")) {
    const line = JSON.parse(text) as unknown[] | { file: string; columns: string[] };
    if (Array.isArray(line)) rows.push(line);
    else {
      rows = [];
      readings.set(line.file, { columns: line.columns, rows });
    }
  }
  return readings;
}
