import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import type { ColumnCondition } from "#contract";
import { ServiceError } from "../errors.ts";
import { removeFiles } from "../io/index.ts";
import type { BatchPaths } from "./batch-paths.ts";
import { type Column, columnExtension, fits, headerOf, openColumnFile } from "./column-file.ts";
import { originOf, sourcePrefix } from "./column-values.ts";
import type { LineIndex } from "./line-index.ts";
import { createScans, type Scan } from "./scans.ts";
import { type Hits, lineFinder, type SearchThread } from "./searches.ts";

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
  /** The different values, ascending; none where there are more than anybody would read. */
  readonly names: readonly string[];
}

/** A batch whose columns are read. */
export interface ColumnBatch {
  readonly id: string;
  readonly index: LineIndex;
  readonly paths: BatchPaths;
  /** Whether more answers may come: nothing is kept on disk then. */
  readonly isRunning: boolean;
}

/** Columns that are not in memory: of requests, answers and tables. They are read in the thread of searches. */
export interface Columns {
  /** The lines whose value fits a condition, as far as they have been found. */
  match(batch: ColumnBatch, condition: ColumnCondition, signal: AbortSignal): Scan<Hits>;
  /** All values of a column; null until all have been read. */
  encode(batch: ColumnBatch, path: string, signal: AbortSignal): Scan<{ values: ColumnByLine | null }>;
}

/** That stay in memory: a byte, and 12 bytes, for each line. */
const [mostMatches, mostEncoded] = [8, 3];

/** Whether a column is read from disk. */
export function isOnDisk(path: string): boolean {
  return originOf(path) !== null;
}

export function createColumns(thread: SearchThread, readTables: () => Tables | null): Columns {
  const matches = createScans<Hits>(mostMatches);
  const encoded = createScans<{ values: ColumnByLine | null }>(mostEncoded);

  /** The column, where its values are written down if they are of a table. */
  async function prepare(
    batch: ColumnBatch,
    path: string,
    report: Report,
    signal: AbortSignal,
  ): Promise<Column | null> {
    const { paths } = batch;
    const origin = originOf(path);
    const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
    const file = `${paths.index}.${name}${columnExtension}`;
    if (origin === "table") {
      await writeTableColumn(batch, path, { file, report, signal });
      return { path, origin: null, file };
    }
    const from = origin === "input" ? paths.input : paths.output;
    return from === null ? null : { path, origin: from, file: batch.isRunning ? null : file };
  }

  async function writeTableColumn(
    { id, index, paths }: ColumnBatch,
    path: string,
    { file, report, signal }: { readonly file: string; readonly report: Report; readonly signal: AbortSignal },
  ): Promise<void> {
    const header = headerOf(path, paths.input);
    if (await fits(file, header)) return;
    const column = path.slice(sourcePrefix.length);
    const tables = readTables();
    const readCells = await tables?.columnReader(id);
    if (readCells === undefined || !(await tables?.columns(id))?.includes(column)) {
      const why = `The table that this batch was built from is gone, or has no column "${column}".`;
      throw new ServiceError("invalid_value", why, "columns");
    }
    const writer = openColumnFile(file, header);
    try {
      let line = 1;
      for await (const cells of readCells(column, 1)) {
        signal.throwIfAborted();
        for (const cell of cells) {
          if (cell !== "") writer.append(line, cell);
          line += 1;
        }
        report(line, index.total);
      }
      writer.finish();
    } catch (error) {
      writer.discard();
      throw error;
    }
  }

  /** Finds the line that a place in a column file means. */
  const lineAt = ({ index }: ColumnBatch, path: string) => {
    const origin = originOf(path);
    if (origin === "table") return (place: number) => (place <= index.total ? place : 0);
    return lineFinder(index.columns, origin ?? "output");
  };

  return {
    match: (batch, condition, signal) =>
      matches.open({
        key: [batch.id, condition.path, condition.op, condition.value],
        index: batch.index,
        signal,
        result: () => new Uint8Array(batch.index.total),
        read: async (hits, report, ended) => {
          const column = await prepare(batch, condition.path, report, ended);
          if (column === null) return;
          const toLine = lineAt(batch, condition.path);
          const found = await thread.client().matchColumn({ column, condition }, { signal: ended });
          for await (const { places, bytes, size } of found) {
            for (const place of places) {
              const at = toLine(place) - 1;
              if (at >= 0) hits[at] = 1;
            }
            report(bytes, size);
          }
        },
      }),
    encode: (batch, path, signal) =>
      encoded.open({
        key: [batch.id, path],
        index: batch.index,
        signal,
        result: () => ({ values: null }),
        read: async (result, report, ended) => {
          const column = await prepare(batch, path, report, ended);
          const { total } = batch.index;
          const byLine = { ranks: new Uint32Array(total), numbers: new Float64Array(total).fill(Number.NaN) };
          let names: readonly string[] = [];
          if (column !== null) {
            const toLine = lineAt(batch, path);
            for await (const { values, bytes, size } of await thread.client().encodeColumn(column, { signal: ended })) {
              report(bytes, size);
              if (values === null) continue;
              names = values.names;
              values.places.forEach((place, nth) => {
                const at = toLine(place) - 1;
                if (at < 0) return;
                byLine.ranks[at] = values.ranks[nth] ?? 0;
                byLine.numbers[at] = values.numbers[nth] ?? Number.NaN;
              });
            }
          }
          result.values = { ...byLine, names };
        },
      }),
  };
}

type Report = (bytes: number, size: number) => void;

/** Removes what is kept of the columns of a batch. */
export async function removeColumnFiles(indexPath: string): Promise<void> {
  const form = new RegExp(`^${basename(indexPath)}\\.[0-9a-f]+\\${columnExtension}(\\.part)?$`);
  await removeFiles(dirname(indexPath), form);
}
