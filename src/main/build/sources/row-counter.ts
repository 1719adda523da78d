import { type Encoding, formatNumber, type SourceNotes } from "#contract";
import { BuildError } from "../errors.ts";
import { createThrottle } from "../throttle.ts";
import { type Checkpoint, checkpointBytes, type Reading, type SourceIndex } from "./stored-source.ts";

/** What a pass over the rows finds out. */
export type Table = Pick<SourceIndex, "columns" | "paths" | "notes" | "rowCount" | "checkpoints" | "csv">;
/** A pass over the rows, which reports its progress at most ten times a second. */
export type Pass = AsyncGenerator<Reading, Table>;

const noCells: SourceNotes["formulas"] = { count: 0, first: [] };
export const noNotes: SourceNotes = {
  emptyCells: null,
  raggedRows: null,
  renamed: [],
  doubts: [],
  comments: 0,
  formulas: noCells,
  failedFormulas: noCells,
  roundedNumbers: noCells,
  hiddenRows: 0,
};

/** A text of `size` bytes whose first row begins after `start`. */
export interface Content {
  readonly path: string;
  readonly start: number;
  readonly size: number;
  /** Whether its lines are the cells of a sheet. */
  readonly isSheet: boolean;
  /** What it was converted from; null for text that needed no conversion. */
  readonly encoding: Encoding | null;
}

/** Counts rows, and records where they can be read from: one position at least every `checkpointBytes`. */
export function createRowCounter({ start, size }: Content) {
  let checkpoints: Checkpoint[] = [[0, start]];
  const isTime = createThrottle();
  let rows = 0;
  let bytes = start;
  let lastCheckpoint = start;
  return {
    /** Leaves out what is before the byte `end`, as long as no row was counted. */
    startAt(end: number): void {
      checkpoints = [[0, end]];
      lastCheckpoint = end;
      bytes = end;
    },
    /** Counts a row that ends before the byte `end`. */
    add(end: number): void {
      rows += 1;
      bytes = end;
      if (end - lastCheckpoint < checkpointBytes) return;
      lastCheckpoint = end;
      checkpoints.push([rows, end]);
    },
    *progress(): Generator<Reading> {
      if (isTime()) yield { phase: "reading", bytes, total: size, rows };
    },
    result: () => ({ rowCount: rows, checkpoints }),
  };
}

/** As many as spreadsheets have. */
const mostColumns = 16_384;

export function refuseTooWide(columns: number): void {
  if (columns <= mostColumns) return;
  const found = `This table has ${formatNumber(columns)} columns; ${formatNumber(mostColumns)} are the most.`;
  throw new BuildError("refused", `${found} Leave out those that are not needed, or choose another delimiter.`);
}
