import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ExportNotes, type ExportProgress, type ExportRequest, pictureColumn } from "#contract";
import type { Build } from "#main/build";
import {
  createRowStore,
  createRowSurvey,
  inParts,
  listTextColumns,
  type RowStore,
  type RowSurvey,
  type TableFormat,
  toExportRow,
  writeTable,
} from "#main/exports";
import type { Service } from "#main/service";

type ResultsRequest = Extract<ExportRequest, { what: "results" }>;

interface ResultExportDeps {
  readonly service: Pick<Service, "results">;
  readonly build: Pick<Build, "batchSources">;
  /** The folder of temporary files. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** The results of a batch as the bytes of a file, and what is known of it when it is written. */
export interface ResultExport {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How many rows it has. */
  written(): number;
  /** The notes that have content. */
  notes(): ExportNotes;
}

/** Exports the lines as they are on the wire, or a table of them. Which lines they are is known before the first is read. */
export async function openResultExport(request: ResultsRequest, parts: ResultExportDeps): Promise<ResultExport> {
  const { batchId, merged, filter, sort, format = "jsonl" } = request;
  const { results } = parts.service;
  const lines = await results.numbers(batchId, filter, { merged }, sort);
  let written = 0;
  const missing = { damaged: 0, rowsWithoutTable: 0 };
  let notes: ExportNotes = {};

  const onDamaged = () => {
    missing.damaged += 1;
  };

  function count(step: ExportProgress["step"], rows: number): void {
    if (step === "writing") written = rows;
    parts.onProgress?.({ how: "writing", step, rows, total: lines.length });
  }

  async function* readLines(): AsyncGenerator<Uint8Array> {
    for await (const line of results.exportLines(batchId, { merged }, lines, onDamaged)) {
      yield line;
      count("writing", written + 1);
    }
  }

  async function* readRows(store: RowStore, stored: readonly number[]) {
    for (const some of inParts(stored, store.length)) {
      yield store.read(some);
      count("writing", written + some.length);
    }
  }

  async function* writeRows(format: TableFormat): AsyncGenerator<Uint8Array> {
    await mkdir(parts.folder, { recursive: true });
    const store = createRowStore(join(parts.folder, randomUUID()));
    try {
      // What is shown alone has no column of a table that is lost.
      const asksForTable = request.columns?.some((path) => path.startsWith("source.")) ?? true;
      const withTable = asksForTable || request.withOthers === true;
      const lostTable = withTable && (await parts.build.batchSources.isTableLost(batchId));
      const survey = createRowSurvey(await parts.build.batchSources.columns(batchId), {
        wanted: request.columns,
        withOthers: request.withOthers,
      });
      const onMissingRow = () => {
        if (withTable) missing.rowsWithoutTable += 1;
      };
      const inTable = await arePicturesInTable(request, parts.build);
      const reading = { ...request, inTable, lines, survey, store, count, onDamaged, onMissingRow };
      const stored = await storeRows(reading, parts);
      const columns = survey.columns();
      notes = { textColumns: listTextColumns(format, columns), lostTable, fieldsLeftOut: survey.fieldsLeftOut() };
      yield* writeTable({ format, columns, rows: readRows(store, stored), csv: request.csv });
    } finally {
      store.close();
    }
  }

  const chunks = format === "jsonl" ? readLines() : writeRows(format);
  return {
    chunks,
    written: () => written,
    notes: () => leaveOutEmpty({ ...notes, ...missing }),
  };
}

/** The notes that have content. */
function leaveOutEmpty(notes: ExportNotes): ExportNotes {
  const filled = Object.entries(notes).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
  return Object.fromEntries(filled);
}

/** Whether its table's columns name the pictures, so that they need no other column. */
async function arePicturesInTable({ batchId, columns }: ResultsRequest, { batchSources }: ResultExportDeps["build"]) {
  if (columns?.includes(pictureColumn)) return false;
  const source = await batchSources.describe(batchId);
  return source !== null && source.columns.length > 0 && (source.pictures ?? []).length > 0;
}

interface RowReading extends Pick<ResultsRequest, "batchId" | "merged"> {
  readonly lines: readonly number[];
  readonly inTable: boolean;
  readonly survey: RowSurvey;
  readonly store: RowStore;
  readonly count: (step: ExportProgress["step"], rows: number) => void;
  readonly onDamaged: () => void;
  /** Called for a row whose row of the table is not there. */
  readonly onMissingRow: () => void;
}

/** In place of the row number of a line that the export leaves out. */
const noRow = -1;

/** Stores the rows, which are read in the order of the input, and returns their numbers in the order of `lines`. */
async function storeRows(
  { batchId, merged, lines, inTable, survey, store, count, onDamaged, onMissingRow }: RowReading,
  { service, build, signal }: ResultExportDeps,
): Promise<readonly number[]> {
  const order = lines.map((_, at) => at).sort((a, b) => (lines[a] ?? 0) - (lines[b] ?? 0));
  const stored = new Array<number>(lines.length).fill(noRow);
  const readCells = await build.batchSources.rowReader(batchId);
  const cursor = readCells === null ? null : openRowCursor(readCells);
  const ascending = order.map((at) => lines[at] ?? 0);
  let done = 0;
  try {
    for await (const some of service.results.exportRows(batchId, ascending, { merged })) {
      signal?.throwIfAborted();
      for (const line of some) {
        while (ascending[done] !== line.line) done += 1;
        const cells = (await cursor?.row(line.line)) ?? null;
        const at = order[done++] ?? 0;
        if (line.state === "damaged") {
          onDamaged();
          continue;
        }
        if (cursor !== null && (cells?.length ?? 0) === 0) onMissingRow();
        stored[at] = store.append(survey.add(toExportRow(inTable ? { ...line, picture: null } : line, cells)));
      }
      count("reading", done);
    }
  } finally {
    await cursor?.close();
  }
  return stored.filter((row) => row !== noRow);
}

/** The rows of lines that are asked for in ascending order. */
function openRowCursor(read: (from: number) => AsyncIterable<readonly (readonly string[])[]>) {
  let reader: AsyncIterator<readonly (readonly string[])[]> | null = null;
  let rows: readonly (readonly string[])[] = [];
  let first = 0;
  return {
    /** Null where the table has no such row. */
    async row(line: number): Promise<readonly string[] | null> {
      if (reader === null) {
        reader = read(line)[Symbol.asyncIterator]();
        first = line;
      }
      while (line >= first + rows.length) {
        first += rows.length;
        const next = await reader.next();
        if (next.done) return null;
        rows = next.value;
      }
      return rows[line - first] ?? null;
    },
    close: async () => void (await reader?.return?.()),
  };
}
