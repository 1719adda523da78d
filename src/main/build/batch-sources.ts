import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { type BuildInput, buildInputSchema, type SourceColumns, type Span, spanSchema } from "#contract";
import type { ReadColumn, Results } from "#main/results";
import { isLostOrigin, listFiles, type Notices, readJsonFile, type WriteRules, writeJsonFile } from "#main/storage";
import { BuildError, checkId } from "./errors.ts";
import { describeSourceColumns, type FindUsedColumns } from "./source-columns.ts";
import type { SourceReader, SourceStore } from "./sources/source-store.ts";
import { type StoredSource, storedSourceSchema } from "./sources/stored-source.ts";

/** Rows near each other are read at once. */
const rowsAtATime = 100;
/** Most rows, and about the bytes, that are read at once of a whole table: each reading parses a part of it anew. */
const [mostRowsAtATime, bytesAtATime] = [5_000, 2_000_000];
const extension = ".json";
const originName = /^batch_\w+\.json$/;
const notFound = "This batch is no longer there.";

/**
 * The tables that batches were built from, and which of their rows became lines, so that a column can be read next to the
 * lines of its batch later, as long as the file is there. The table of a retry is that of the batch that it began with.
 */
export interface BatchSources {
  /**
   * Records the table as it was read for the batch: its layout may be changed later. `built` is the prompt and the settings,
   * `written` are the rows that became lines.
   */
  record(batchId: string, source: StoredSource, built: BuildInput, written: readonly Span[]): Promise<void>;
  /** The tables of existing batches, null while a damaged record may name any; removes the records of other batches. */
  sourcesInUse(isThere: (batchId: string) => boolean): Promise<ReadonlySet<string> | null>;
  /** What the batch was built from; null when that is unknown. */
  builtFrom(batchId: string): Promise<BuildInput | null>;
  /** The columns that neither the prompt nor custom_id uses; all of them where these are unknown. */
  unusedColumns(batchId: string): Promise<readonly string[]>;
  /** The columns of the table; empty when it was removed, is unknown, or was no table. */
  columns(batchId: string): Promise<readonly string[]>;
  /** The columns of its source table, and which of them its requests use; null when the source is unknown. */
  describe(batchId: string): Promise<SourceColumns | null>;
  /** Whether it was built from a table that is gone or damaged, and its columns with it. */
  isTableLost(batchId: string): Promise<boolean>;
  /** Throws a BuildError when its table has no such column (any more). */
  requireColumn(batchId: string, column: string): Promise<void>;
  /** Undefined when the table is gone or unknown. Of a column that it does not have every cell is empty. */
  columnReader(batchId: string): Promise<ReadColumn | undefined>;
  /** The cells of some columns next to some lines, in their order; none where the table has no such row. */
  cells(batchId: string, columns: readonly string[], lines: readonly number[]): Promise<(readonly string[])[]>;
  /**
   * Reads the rows of the table, those of line `from` and of all that follow; null when it is gone or unknown. A row is
   * empty where the table ends before it, or where it can't be read any more.
   */
  rowReader(batchId: string): Promise<((from: number) => AsyncIterable<readonly (readonly string[])[]>) | null>;
}

/** A batch without recorded rows has a line for each row. */
const originSchema = storedSourceSchema.extend({
  written: z.array(spanSchema).optional(),
  built: buildInputSchema.optional().catch(undefined),
});
type Origin = z.infer<typeof originSchema>;

export interface BatchSourcesDeps {
  readonly folder: string;
  readonly writeRules: WriteRules;
  /** Gets a notice of each record that is damaged. */
  readonly notices: Pick<Notices, "add">;
  readonly sources: Pick<SourceStore, "open">;
  readonly readRows: SourceReader["rows"];
  readonly results: Pick<Results, "retriedLines">;
  readonly findUsedColumns: FindUsedColumns;
}

export function createBatchSources(parts: BatchSourcesDeps): BatchSources {
  const { folder, writeRules, notices, sources, readRows, results, findUsedColumns } = parts;
  const pathOf = (batchId: string) => join(folder, `${checkId(batchId, notFound)}${extension}`);

  const noticed = new Set<string>();

  function addNotice(batchId: string, what: "is damaged" | "can't be read", details: string): void {
    if (noticed.has(batchId)) return;
    noticed.add(batchId);
    const message = `The record of the table of ${batchId} ${what}. Its exports lack the table's columns: join them by custom_id.`;
    notices.add({ code: "record_damaged", count: 1, message, details });
  }

  /** Undefined where there is none. `damaged`: also where it can't be read. `lost`: it was damaged, and has been set aside. */
  async function readOrigin(batchId: string): Promise<Origin | "damaged" | "lost" | undefined> {
    const path = pathOf(batchId);
    try {
      const content = await readJsonFile(path);
      if (content === undefined) return undefined;
      if (isLostOrigin(content)) return "lost";
      const origin = originSchema.safeParse(content).data;
      if (origin !== undefined) return origin;
      addNotice(batchId, "is damaged", path);
    } catch (error) {
      if (error instanceof SyntaxError) addNotice(batchId, "is damaged", path);
      else addNotice(batchId, "can't be read", `${path}: ${String(error)}`);
    }
    return "damaged";
  }

  /** That of a retry has the rows of its lines. */
  async function findOrigin(batchId: string): ReturnType<typeof readOrigin> {
    const own = await readOrigin(batchId);
    const retried = own === undefined ? await results.retriedLines(batchId) : null;
    if (retried === null) return own;
    const root = await readOrigin(retried.rootId);
    return typeof root === "object" ? { ...root, written: toSpans(rowsOf(root, retried.lines)) } : root;
  }

  async function find(batchId: string): ReturnType<typeof openTable> {
    return openTable(await findOrigin(batchId));
  }

  /** Null when there is no table any more whose columns could be read. */
  async function openTable(
    source: Awaited<ReturnType<typeof findOrigin>>,
  ): Promise<{ path: string; source: Origin } | null> {
    if (typeof source !== "object" || source.holds === "requests") return null;
    try {
      const { path } = await sources.open(source.id, source);
      return { path, source };
    } catch (error) {
      if (error instanceof BuildError) return null;
      throw error;
    }
  }

  return {
    async record(batchId, source, built, written) {
      writeRules.assertHeld();
      await mkdir(folder, { recursive: true });
      await writeJsonFile(pathOf(batchId), { ...source, written, built }, writeRules);
    },
    async sourcesInUse(isThere) {
      const used = new Set<string>();
      let isKnown = true;
      for (const name of listFiles(folder, originName)) {
        const batchId = basename(name, extension);
        if (!isThere(batchId)) {
          writeRules.assertHeld();
          await rm(join(folder, name), { force: true });
          continue;
        }
        const origin = await readOrigin(batchId);
        if (typeof origin === "object") used.add(origin.id);
        if (origin === "damaged") isKnown = false;
      }
      return isKnown ? used : null;
    },
    async builtFrom(batchId) {
      const origin = await readOrigin(batchId);
      return (typeof origin === "object" && origin.built) || null;
    },
    async unusedColumns(batchId) {
      const { columns, built } = (await find(batchId))?.source ?? { columns: [] };
      if (built === undefined) return columns;
      const used = new Set(await findUsedColumns(built.template, columns));
      return columns.filter((column) => !used.has(column));
    },
    columns: async (batchId) => (await find(batchId))?.source.columns ?? [],
    async describe(batchId) {
      const origin = await findOrigin(batchId);
      const built = typeof origin === "object" ? origin.built : undefined;
      if (built === undefined) return null;
      const { columns } = (await openTable(origin))?.source ?? { columns: [] };
      return describeSourceColumns(columns, built.template, findUsedColumns);
    },
    async isTableLost(batchId) {
      const origin = await findOrigin(batchId);
      if (typeof origin !== "object") return origin !== undefined;
      return origin.holds !== "requests" && (await openTable(origin)) === null;
    },
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
      return async function* (column, from) {
        const at = found.source.columns.indexOf(column);
        for await (const rows of readLines(found, from)) yield rows.map((cells) => cells[at] ?? "");
      };
    },
    async cells(batchId, columns, lines) {
      const found = await find(batchId);
      if (found === null) return lines.map(() => []);
      const places = columns.map((column) => found.source.columns.indexOf(column));
      const cellsOf = await readSomeRows(found, new Set(rowsOf(found.source, lines)));
      return rowsOf(found.source, lines).map((row) => {
        const cells = cellsOf.get(row);
        return cells === undefined ? [] : places.map((at) => cells[at] ?? "");
      });
    },
    async rowReader(batchId) {
      const found = await find(batchId);
      return found && ((from) => readLines(found, from));
    },
  };

  /** Rows by their number; those that are near each other are read at once. */
  async function readSomeRows({ path, source }: { path: string; source: Origin }, wanted: ReadonlySet<number>) {
    const cells = new Map<number, readonly string[]>();
    const ordered = [...wanted].filter((row) => row > 0).sort((a, b) => a - b);
    for (let at = 0; at < ordered.length; ) {
      const first = ordered[at] ?? 0;
      let last = first;
      for (; (ordered[at] ?? Number.POSITIVE_INFINITY) - first < rowsAtATime; at += 1) last = ordered[at] ?? last;
      const rows = await readRows(path, source, first, last - first + 1);
      rows.forEach((row, nth) => {
        if (wanted.has(first + nth) && !isDamaged(row)) cells.set(first + nth, row.cells);
      });
    }
    return cells;
  }

  async function* readLines({ path, source }: { path: string; source: Origin }, from: number) {
    const { written = [[1, source.rowCount]], bytes, rowCount } = source;
    const fitting = Math.ceil((bytesAtATime * rowCount) / Math.max(1, bytes));
    const size = Math.min(mostRowsAtATime, Math.max(rowsAtATime, fitting));
    for (const window of windowsOf(written, from, size)) {
      const [first = 1] = window;
      const rows = await readRows(path, source, first, (window.at(-1) ?? first) - first + 1);
      yield window.map((row) => rows[row - first]).map((row) => (row && !isDamaged(row) ? row.cells : []));
    }
  }
}

/** A row became a line because it could be read: what can't be read now is damage. */
const isDamaged = ({ fault }: { readonly fault: string | null }) => fault !== null;

/** The rows of some lines; 0 for a line that has none. */
function rowsOf({ written, rowCount }: Origin, lines: readonly number[]): number[] {
  const spans = written ?? [[1, rowCount] as const];
  const firstLines: number[] = [];
  let next = 1;
  for (const [first, last] of spans) {
    firstLines.push(next);
    next += last - first + 1;
  }
  return lines.map((line) => {
    const at = firstLines.findLastIndex((first) => first <= line);
    const span = spans[at];
    const row = span === undefined ? 0 : span[0] + line - (firstLines[at] ?? 1);
    return span !== undefined && row <= span[1] ? row : 0;
  });
}

/** Ascending rows as spans. */
function toSpans(rows: readonly number[]): Span[] {
  const spans: [first: number, last: number][] = [];
  for (const row of rows) {
    const last = spans.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else spans.push([row, row]);
  }
  return spans;
}

/** The rows of the lines from line `from` on, as many at a time as are read at once. */
function* windowsOf(written: readonly Span[], from: number, size: number): Generator<readonly number[]> {
  let window: number[] = [];
  let line = 0;
  for (const [first, last] of written) {
    for (let row = first; row <= last; row += 1) {
      line += 1;
      if (line < from) continue;
      if (row - (window[0] ?? row) >= size) {
        yield window;
        window = [];
      }
      window.push(row);
    }
  }
  if (window.length > 0) yield window;
}
