import { basename, dirname } from "node:path";
import { type ColumnCondition, finalStatuses, sourcePrefix } from "#contract";
import type { Machine } from "#main/base";
import { ServiceError } from "#main/base";
import type { StoredFolder } from "#main/storage";
import { removeFiles } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import { type Column, columnExtension, columnFileOf, fits, headerOf, writeColumn } from "./column-file.ts";
import { originOf } from "./column-values.ts";
import { listKnownLines } from "./known-lines.ts";
import type { LineView, ViewPart } from "./line-views.ts";
import { createScans, type Scan } from "./scans.ts";
import type { SchemaChecks } from "./schema-checks.ts";
import type { Hits, SearchThread } from "./searches.ts";

/** Reads the cells of a column of the table that a batch was built from, those of line `from` and of all that follow. */
export type ReadColumn = (column: string, from: number) => AsyncIterable<readonly string[]>;

/** The tables that batches were built from: they are the host's. */
export interface Tables {
  /** Undefined where there is no table (any more). */
  columnReader(batchId: string): Promise<ReadColumn | undefined>;
  /** Its columns; empty where there is no table. */
  columns(batchId: string): Promise<readonly string[]>;
}

/** The values of a column by line, at the line's number less one. */
export interface ColumnByLine {
  /** The place of a value among the different ones, ascending, from 1; 0 for a line without a value. */
  readonly ranks: Uint32Array;
  /** NaN where the value is no number. */
  readonly numbers: Float64Array;
  /** The different values, ascending; null where there are more than anybody would read. */
  readonly names: readonly string[] | null;
}

/** Columns that are not in memory: of requests, answers and tables. They are read in the thread of searches. */
export interface Columns {
  /**
   * The lines whose value fits a condition, as far as they have been found; of a condition that a missing value fits, those
   * that it leaves out.
   */
  match(view: LineView, condition: ColumnCondition, signal: AbortSignal): Scan<Hits>;
  /** All values of a column; null until all have been read. */
  encode(view: LineView, path: string, signal: AbortSignal): Scan<{ values: ColumnByLine | null }>;
}

/** How many stay in memory. A match takes a byte a line, an encoded column 12. */
const [mostMatches, mostEncoded] = [8, 4];

/** Whether a column is read from disk. */
export function isOnDisk(path: string): boolean {
  return originOf(path) !== null;
}

/** A column of one batch of a view, and how the lines of its values are found. */
interface PartColumn {
  readonly column: Column;
  readonly lineAt: (place: number) => number;
}

export interface ColumnsOptions {
  readonly thread: SearchThread;
  readonly schemaChecks: SchemaChecks;
  readonly store: StoredFolder;
  readonly readTables: () => Tables | null;
  readonly machine: Machine;
}

export function createColumns({ thread, schemaChecks, store, readTables, machine }: ColumnsOptions): Columns {
  const matches = createScans<Hits>(mostMatches, machine);
  const encoded = createScans<{ values: ColumnByLine | null }>(mostEncoded, machine);

  /** The column in each batch that has it, where its values are written down if they are of a table. */
  async function prepare(view: LineView, path: string, reading: Reading): Promise<PartColumn[]> {
    if (originOf(path) !== "table") return view.parts.flatMap((part) => openPart(part, path) ?? []);
    // The table is that of the batch that the others belong to, whose lines are those of the view.
    const [root] = view.parts;
    if (root === undefined) return [];
    const { batch, index } = root;
    const { input, index: indexPath } = pathsOf(batch, store);
    const file = columnFileOf(indexPath, path);
    await writeTableColumn({ batchId: batch.id, path, file, input, total: index.total }, reading);
    return [
      {
        column: { path, origin: null, file },
        lineAt: (place) => (place <= index.total ? place : 0),
      },
    ];
  }

  function openPart({ batch, index, lineOf }: ViewPart, path: string): PartColumn | null {
    const paths = pathsOf(batch, store);
    const kind = originOf(path) === "input" ? "input" : "output";
    const origin = paths[kind];
    if (origin === null) return null;
    const { lineAt, ...known } = listKnownLines(index.columns, kind);
    // While more answers may come, nothing is kept on disk.
    const file = finalStatuses.has(batch.status) ? columnFileOf(paths.index, path) : null;
    return { column: { path, origin: { path: origin, known }, file }, lineAt: (place) => lineOf(lineAt(place)) };
  }

  async function writeTableColumn(
    {
      batchId,
      path,
      file,
      input,
      total,
    }: { batchId: string; path: string; file: string; input: string; total: number },
    { report, signal }: Reading,
  ): Promise<void> {
    const header = headerOf(path, input);
    if (await fits(file, header)) return;
    const column = path.slice(sourcePrefix.length);
    const tables = readTables();
    const readCells = await tables?.columnReader(batchId);
    if (readCells === undefined || !(await tables?.columns(batchId))?.includes(column)) {
      const why = `The table that this batch was built from is gone, or has no column "${column}".`;
      throw new ServiceError("invalid_value", why, "columns");
    }
    await writeColumn({ file, header, isSpare: false }, async (append) => {
      let line = 1;
      for await (const cells of readCells(column, 1)) {
        signal.throwIfAborted();
        for (const cell of cells) {
          if (cell !== "") append(line, cell);
          line += 1;
        }
        report(line, total);
      }
    });
  }

  return {
    match: (view, condition, signal) =>
      matches.open({
        key: [view.key, JSON.stringify(condition)],
        index: view.index,
        signal,
        result: () => new Uint8Array(view.index.total),
        read: async (hits, report, ended) => {
          const reading = { report, signal: ended };
          if (condition.op === "breaks_schema") {
            const onFound = (line: number) => {
              hits[line - 1] = 1;
            };
            return await schemaChecks.find(view, onFound, reading);
          }
          for (const { column, lineAt } of await prepare(view, condition.path, reading)) {
            const found = await thread.client().matchColumn({ column, condition }, { signal: ended });
            for await (const { places, bytes, size } of found) {
              for (const place of places) {
                const at = lineAt(place) - 1;
                if (at >= 0) hits[at] = 1;
              }
              report(bytes, size);
            }
          }
        },
      }),
    encode: (view, path, signal) =>
      encoded.open({
        key: [view.key, path],
        index: view.index,
        signal,
        result: () => ({ values: null }),
        read: async (result, report, ended) => {
          const found = await prepare(view, path, { report, signal: ended });
          const { total } = view.index;
          const byLine = { ranks: new Uint32Array(total), numbers: new Float64Array(total).fill(Number.NaN) };
          let names: readonly string[] | null = [];
          const columns = found.map(({ column }) => column);
          for await (const { values, bytes, size } of await thread.client().encodeColumns(columns, { signal: ended })) {
            report(bytes, size);
            if (values === null) continue;
            names = values.names;
            values.places.forEach((place, nth) => {
              const at = (found[values.sources[nth] ?? 0]?.lineAt(place) ?? 0) - 1;
              if (at < 0) return;
              byLine.ranks[at] = values.ranks[nth] ?? 0;
              byLine.numbers[at] = values.numbers[nth] ?? Number.NaN;
            });
          }
          result.values = { ...byLine, names };
        },
      }),
  };
}

interface Reading {
  readonly report: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

/** Removes what is kept of the columns of a batch. */
export async function removeColumnFiles(indexPath: string): Promise<void> {
  const form = new RegExp(`^${basename(indexPath)}\\.[0-9a-f]+\\${columnExtension}(\\.[0-9a-f]+)?(\\.part)?$`);
  await removeFiles(dirname(indexPath), form);
}
