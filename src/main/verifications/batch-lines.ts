import type { ResultDetail } from "#contract";
import type { LineIndex, ReadColumn } from "#main/results";

/** Most lines that are read at a time, and about how many bytes of them. */
const mostLines = 64;
const mostBytes = 1024 * 1024;

/** Whether a line has an answer that can be judged: one that failed has none. */
export function hasAnswer(index: LineIndex, line: number): boolean {
  return index.hasAnswer(line);
}

/** A line of a batch with its cell of a column. */
export interface BatchLine {
  readonly detail: ResultDetail;
  /** Null where no column is read, and where the table has no such row. */
  readonly cell: string | null;
}

export interface BatchLinesDeps {
  readonly index: LineIndex;
  /** The other lines are passed over. */
  readonly isWanted: (line: number) => boolean;
  readonly readLines: (lines: readonly number[]) => Promise<readonly ResultDetail[]>;
  /** The cells of the column from a line on; null where none is needed. */
  readonly readCells: ((from: number) => ReturnType<ReadColumn>) | null;
}

/** The wanted lines of a batch, a few at a time, in their order. */
export async function* readBatchLines(parts: BatchLinesDeps): AsyncGenerator<readonly BatchLine[]> {
  const { readLines, readCells } = parts;
  let cells: CellCursor | null = null;
  try {
    for (const lines of chunkLines(parts)) {
      if (readCells !== null) cells ??= openCellCursor(readCells, lines[0] ?? 1);
      const chunk: BatchLine[] = [];
      for (const detail of await readLines(lines)) {
        chunk.push({ detail, cell: (await cells?.cell(detail.line)) ?? null });
      }
      yield chunk;
    }
  } finally {
    await cells?.close();
  }
}

function* chunkLines({ index, isWanted }: BatchLinesDeps): Generator<readonly number[]> {
  let lines: number[] = [];
  let bytes = 0;
  for (let line = 1; line <= index.total; line++) {
    if (!isWanted(line)) continue;
    const { start, end } = index.request(line);
    lines.push(line);
    bytes += end - start + (index.answer(line)?.length ?? 0);
    if (lines.length < mostLines && bytes < mostBytes) continue;
    yield lines;
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield lines;
}

/** The cells of a column, asked for in ascending order of their lines. */
interface CellCursor {
  /** Null where the table has no such row. */
  cell(line: number): Promise<string | null>;
  close(): Promise<void>;
}

/** Of the table no more is in memory than is read at a time. */
function openCellCursor(readCells: NonNullable<BatchLinesDeps["readCells"]>, from: number): CellCursor {
  const reader = readCells(from)[Symbol.asyncIterator]();
  let cells: readonly string[] = [];
  let first = from;
  let isOver = false;
  return {
    async cell(line) {
      while (!isOver && line >= first + cells.length) {
        first += cells.length;
        const next = await reader.next();
        if (next.done) isOver = true;
        cells = next.done ? [] : next.value;
      }
      return cells[line - first] ?? null;
    },
    async close() {
      await reader.return?.();
    },
  };
}
