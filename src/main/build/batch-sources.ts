import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ReadColumn, readJsonFile, writeJsonFile } from "#service";
import { BuildError, checkId } from "./errors.ts";
import type { SourceReader, SourceStore } from "./sources/source-store.ts";
import { type StoredSource, storedSourceSchema } from "./sources/stored-source.ts";

/** Rows that are read at a time. */
const rowsAtATime = 100;
const extension = ".json";
const notFound = "This batch is no longer there.";

/**
 * The tables that batches were built from. Every row of a table makes one line, so that a column of it can be read next to
 * the lines of its batch later, as long as the file is there.
 */
export interface BatchSources {
  /** Records the table as it was read for the batch: its layout may be changed later. */
  record(batchId: string, source: StoredSource): Promise<void>;
  /** The columns of the table; empty when it is gone or unknown, or was no table. */
  columns(batchId: string): Promise<readonly string[]>;
  /** Throws a BuildError when its table has no such column (any more). */
  requireColumn(batchId: string, column: string): Promise<void>;
  /** Undefined when the table is gone or unknown. Of a column that it does not have every cell is empty. */
  columnReader(batchId: string): Promise<ReadColumn | undefined>;
}

export interface BatchSourcesParts {
  readonly folder: string;
  readonly sources: Pick<SourceStore, "open">;
  readonly readRows: SourceReader["rows"];
}

export function createBatchSources({ folder, sources, readRows }: BatchSourcesParts): BatchSources {
  const pathOf = (batchId: string) => join(folder, `${checkId(batchId, notFound)}${extension}`);

  /** Null when there is no table any more whose columns could be read. */
  async function find(batchId: string): Promise<{ path: string; source: StoredSource } | null> {
    const content = await readJsonFile(pathOf(batchId)).catch(() => undefined);
    const source = storedSourceSchema.safeParse(content).data;
    if (source === undefined || source.holds === "requests") return null;
    try {
      const { path } = await sources.open(source.id);
      return { path, source };
    } catch (error) {
      if (error instanceof BuildError) return null;
      throw error;
    }
  }

  return {
    async record(batchId, source) {
      await mkdir(folder, { recursive: true });
      await writeJsonFile(pathOf(batchId), source);
    },
    columns: async (batchId) => (await find(batchId))?.source.columns ?? [],
    async requireColumn(batchId, column) {
      const { columns } = (await find(batchId))?.source ?? { columns: [] as readonly string[] };
      if (columns.includes(column)) return;
      const message =
        columns.length === 0
          ? "The table that this batch was built from is gone, and its columns with it."
          : `The table that this batch was built from has no column "${column}". Choose another one.`;
      throw new BuildError("refused", message);
    },
    async columnReader(batchId) {
      const found = await find(batchId);
      if (found === null) return undefined;
      const { path, source } = found;
      return async function* (column, from) {
        const at = source.columns.indexOf(column);
        for (let row = from; row <= source.rowCount; row += rowsAtATime) {
          const rows = await readRows(path, source, row, rowsAtATime);
          yield rows.map(({ cells }) => cells[at] ?? "");
        }
      };
    },
  };
}
