import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { type ColumnCondition, type Problem, type Rows, sourcePrefix } from "#contract";
import { createSample } from "#main/engines";
import { createValueTest } from "#main/results";
import { readRows } from "../sources/read-rows.ts";
import type { PassSource } from "../sources/stored-source.ts";

/** The rows of a source that become requests. */
export interface ChosenRows {
  readonly total: number;
  /** Asked of each row once, in their order. */
  take(row: number): boolean;
  /** Rows that fit the filter, if there is one. */
  readonly fitting?: number;
}

interface SourceContent {
  readonly path: string;
  readonly source: PassSource;
}

/** The seed of random rows: a part of the content's hash. */
const seedBytes = 1024 * 1024;

/**
 * Chooses rows: of those that match the filter the first, the last or random ones. The content is the seed: the same file
 * gives the same rows.
 */
export async function chooseRows(
  input: SourceContent,
  rows: Rows | undefined,
  signal?: AbortSignal,
): Promise<ChosenRows> {
  const { source } = input;
  const filter = source.holds === "rows" ? (rows?.filter ?? []) : [];
  if (filter.length === 0) return choosePlaces(input, rows, source.rowCount);
  const fitting = await findFitting(input, filter, signal);
  const chosen = await choosePlaces(input, rows, fitting.count);
  let place = 0;
  const take = (row: number) => {
    if (fitting.flags[row] !== 1) return false;
    place += 1;
    return chosen.take(place);
  };
  return { total: chosen.total, take, fitting: fitting.count };
}

/** Chooses among `count` rows by their places, from 1. */
async function choosePlaces(
  { path, source }: SourceContent,
  rows: Rows | undefined,
  count: number,
): Promise<ChosenRows> {
  if (rows === undefined || rows.take === "all") return { total: count, take: () => true };
  const total = Math.min(rows.count, count);
  if (rows.take === "first") return { total, take: (place) => place <= total };
  if (rows.take === "last") return { total, take: (place) => place > count - total };
  return { total, take: createSample(count, total, await readSeed(path, source.bytes)) };
}

/** Whether a row is left out for its own content, independent of other rows. */
export function isFilteredOut(source: PassSource, rows: Rows | undefined, cells: readonly string[]): boolean {
  return source.holds === "rows" && !createFilterTest(source, rows?.filter ?? [])(cells);
}

/** A column that is not there has no cell that fits. */
function createFilterTest(
  source: PassSource,
  filter: readonly ColumnCondition[],
): (cells: readonly string[]) => boolean {
  const tests = filter.map((condition) => ({ at: columnOf(condition, source), fits: createValueTest(condition) }));
  return (cells) => tests.every(({ at, fits }) => at >= 0 && fits(cells[at] ?? ""));
}

/** Reads the rows once to find those that fit all conditions. */
async function findFitting(
  { path, source }: SourceContent,
  filter: readonly ColumnCondition[],
  signal: AbortSignal | undefined,
): Promise<{ count: number; flags: Uint8Array }> {
  const fits = createFilterTest(source, filter);
  const flags = new Uint8Array(source.rowCount + 1);
  let count = 0;
  for await (const rows of readRows(path, source)) {
    signal?.throwIfAborted();
    for (const { number, cells } of rows) {
      if (!fits(cells)) continue;
      flags[number] = 1;
      count += 1;
    }
  }
  return { count, flags };
}

/** The problems of the filter itself: columns that the table doesn't have. */
export function findFilterProblems(source: PassSource, rows: Rows | undefined): Problem[] {
  const missing = (rows?.filter ?? []).filter((condition) => columnOf(condition, source) < 0);
  return source.holds === "requests"
    ? []
    : missing.map(({ path }) => ({
        code: "unknown_column",
        message: `There is no column "${path.slice(sourcePrefix.length)}" to filter the rows by.`,
        param: null,
        line: null,
        severity: "error",
      }));
}

function columnOf({ path }: ColumnCondition, { columns }: PassSource): number {
  return path.startsWith(sourcePrefix) ? columns.indexOf(path.slice(sourcePrefix.length)) : -1;
}

async function readSeed(path: string, bytes: number): Promise<number> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(bytes, seedBytes)), position: 0 });
    return createHash("sha256").update(`${bytes}\n`).update(buffer.subarray(0, bytesRead)).digest().readUInt32LE(0);
  } finally {
    await file.close();
  }
}
