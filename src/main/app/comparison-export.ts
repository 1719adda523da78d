import type { ExportNotes, ExportRequest, ResultDetail } from "#contract";
import { nameOf } from "#main/batches";
import type { Build } from "#main/build";
import { type TableColumn, writeCsv, writeXlsx } from "#main/exports";
import type { Service } from "#main/service";

export interface ComparisonExport {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The bytes of the file. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How many lines have been written. */
  written(): number;
  /** What is missing of the table, once all is written. */
  notes(): ExportNotes;
}

/** A line in each of the batches. */
interface ComparedRow {
  readonly customId: string;
  /** Null where no column has it. */
  readonly expected: string | null;
  readonly details: readonly ResultDetail[];
}

export interface ComparisonExportDeps extends Pick<Service, "batches" | "comparisons" | "files"> {
  readonly build: Pick<Build, "batchSources">;
  /** Names connections, also removed ones, by the name that is kept with the batch. */
  readonly readConnectionNames: () => Promise<(id: string, kept: string | null) => string>;
}

/** Lines that batches have in common, with the answers side by side. */
export function openComparisonExport(
  { ids, by, filter, format }: Extract<ExportRequest, { what: "comparison" }>,
  { batches, comparisons, files, build, readConnectionNames }: ComparisonExportDeps,
): ComparisonExport {
  const sides = ids.map((id) => {
    const batch = batches.get(id);
    return { name: batch === undefined ? id : nameOf(batch, { files }), batch };
  });
  const columns: TableColumn<ComparedRow>[] = [
    { name: "custom_id", read: ({ customId }) => customId },
    { name: "question", read: ({ details: [first] }) => first?.question ?? null },
    { name: "expected", read: ({ expected }) => expected },
    ...sides.flatMap(({ name }, place) => createColumns(name, place, () => connections[place] ?? null)),
  ];
  const [first = ""] = ids;
  let count = 0;
  let connections: readonly (string | null)[] = [];
  let [lostTable, rowsWithoutTable] = [false, 0];
  /** What they are graded against, else the column that has expected answers by its name. */
  async function findExpected(): Promise<string | null> {
    const { expected } = await comparisons.summary({ ids, by });
    return expected ?? (await build.batchSources.describe(first))?.expected ?? null;
  }
  async function* rows() {
    const column = await findExpected();
    lostTable = await build.batchSources.isTableLost(first);
    const nameConnection = await readConnectionNames();
    connections = sides.map(({ batch }) => {
      if (batch === undefined) return null;
      return batch.connection === null ? "This computer" : nameConnection(batch.connection, batch.connectionName);
    });
    for await (const lines of comparisons.details({ ids, by }, filter)) {
      count += lines.length;
      const numbers = lines.map(([detail]) => detail?.line ?? 0);
      const cells = column === null ? [] : await build.batchSources.cells(first, [column], numbers);
      if (column !== null && !lostTable) rowsWithoutTable += lines.filter((_, at) => !cells[at]?.length).length;
      yield lines.map((details, at) => ({
        customId: details[0]?.customId ?? "",
        expected: cells[at]?.[0] ?? null,
        details,
      }));
    }
  }
  const chunks = format === "xlsx" ? writeXlsx(columns, rows()) : writeCsv(columns, rows());
  const notes = () => ({ ...(lostTable && { lostTable }), ...(rowsWithoutTable > 0 && { rowsWithoutTable }) });
  return { name: `Comparison of ${sides[0]?.name}`, chunks, written: () => count, notes };
}

/** The columns of one batch. Batches may have the same name, so that each has a letter, too. */
function createColumns(name: string, place: number, connection: () => string | null): TableColumn<ComparedRow>[] {
  const column = (what: string, read: (detail: ResultDetail) => string | number | null) => ({
    name: `${String.fromCharCode(65 + place)} ${name}: ${what}`,
    read: ({ details }: ComparedRow) => {
      const detail = details[place];
      return detail === undefined ? null : read(detail);
    },
  });
  return [
    column("answer", ({ state, answer }) => (state === "answered" ? answer : null)),
    column("status", ({ state }) => state),
    column("error", ({ state, answer }) => (state === "answered" || state === "waiting" ? null : answer)),
    column("grade", ({ grade }) => grade),
    column("verdict", ({ verdict }) => verdict),
    column("model", ({ model }) => model),
    column("connection", connection),
    column("cost", ({ cost }) => cost),
    column("prompt_tokens", ({ promptTokens }) => promptTokens),
    column("completion_tokens", ({ completionTokens }) => completionTokens),
  ];
}
