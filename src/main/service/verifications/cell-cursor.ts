import type { ReadColumn } from "../types.ts";

/** The cells of a column, asked for in ascending order of their lines. */
export interface CellCursor {
  /** Null where the table has no such row. */
  cell(line: number): Promise<string | null>;
  close(): Promise<void>;
}

/** Reads a column from a line on; of the table no more is in memory than is read at a time. */
export function openCellCursor(readColumn: ReadColumn, column: string, from: number): CellCursor {
  const reader = readColumn(column, from)[Symbol.asyncIterator]();
  let cells: readonly string[] = [];
  let first = from;
  let ended = false;
  return {
    async cell(line) {
      while (!ended && line >= first + cells.length) {
        first += cells.length;
        const next = await reader.next();
        if (next.done) ended = true;
        cells = next.done ? [] : next.value;
      }
      return cells[line - first] ?? null;
    },
    async close() {
      await reader.return?.();
    },
  };
}
