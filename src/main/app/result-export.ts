import type { ExportProgress, ExportRequest } from "#contract";
import type { Build } from "../build/index.ts";
import type { BatchApi } from "../connections/index.ts";
import { createRowSurvey, type ExportRow, type TableFormat, toExportRow, writeTable } from "../exports/index.ts";

type ResultsRequest = Extract<ExportRequest, { what: "results" }>;

interface ResultExportParts {
  readonly api: Pick<BatchApi, "results">;
  readonly build: Pick<Build, "batchSources">;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** The results of a batch as the bytes of a file, and how many rows it has. */
export interface ResultExport {
  readonly chunks: AsyncIterable<Uint8Array>;
  written(): number;
}

/** Exports the lines as they are on the wire, or a table of them. */
export async function openResultExport(request: ResultsRequest, parts: ResultExportParts): Promise<ResultExport> {
  const { batchId, merged, filter, format = "jsonl" } = request;
  const { results } = parts.api;
  const { total } = await results.page(batchId, 0, 0, filter, undefined, { merged });
  let written = 0;

  function count(step: ExportProgress["step"], rows: number): void {
    if (step === "writing") written = rows;
    parts.onProgress?.({ how: "writing", step, rows, total });
  }

  async function* readLines(): AsyncGenerator<Uint8Array> {
    for await (const line of results.exportLines(batchId, { merged }, filter)) {
      yield line;
      count("writing", written + 1);
    }
  }

  const chunks = format === "jsonl" ? readLines() : writeResultTable({ ...request, format }, parts, count);
  return { chunks, written: () => written };
}

/** Reads the rows twice: columns and their types are known before the first is written. */
async function* writeResultTable(
  { format, batchId, merged, filter, columns }: ResultsRequest & { readonly format: TableFormat },
  { build, api, signal }: ResultExportParts,
  count: (step: ExportProgress["step"], rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const readCells = await build.batchSources.rowReader(batchId);

  async function* readTable(step: ExportProgress["step"]): AsyncGenerator<readonly ExportRow[]> {
    const cursor = readCells === null ? null : openRowCursor(readCells);
    let done = 0;
    try {
      for await (const details of api.results.details(batchId, { merged }, filter)) {
        const rows: ExportRow[] = [];
        for (const detail of details) {
          const cells = (await cursor?.row(detail.line)) ?? null;
          rows.push(toExportRow(detail, cells));
        }
        yield rows;
        done += rows.length;
        count(step, done);
      }
    } finally {
      await cursor?.close();
    }
  }

  const survey = createRowSurvey(await build.batchSources.columns(batchId));
  for await (const rows of readTable("reading")) {
    signal?.throwIfAborted();
    for (const row of rows) survey.add(row);
  }
  yield* writeTable({ format, columns: survey.columns(columns), rows: readTable("writing") });
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
