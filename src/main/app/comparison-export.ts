import type { ExportRequest, ResultDetail } from "#contract";
import { nameOf } from "#main/batches";
import { type TableColumn, writeCsv, writeXlsx } from "#main/exports";
import type { Service } from "#main/service";

export interface ComparisonExport {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The bytes of the file. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How many lines have been written. */
  written(): number;
}

/** A line in each of the batches. */
interface ComparedRow {
  readonly customId: string;
  readonly details: readonly ResultDetail[];
}

/** Lines that batches have in common, with the answers side by side. */
export function openComparisonExport(
  { ids, by, filter, format }: Extract<ExportRequest, { what: "comparison" }>,
  { batches, comparisons, files }: Pick<Service, "batches" | "comparisons" | "files">,
): ComparisonExport {
  const names = ids.map((id) => {
    const batch = batches.get(id);
    return batch === undefined ? id : nameOf(batch, { files });
  });
  const columns: TableColumn<ComparedRow>[] = [
    { name: "custom_id", read: ({ customId }) => customId },
    { name: "question", read: ({ details: [first] }) => first?.question ?? null },
    ...names.flatMap(createColumns),
  ];
  let count = 0;
  async function* rows() {
    for await (const lines of comparisons.details({ ids, by }, filter)) {
      count += lines.length;
      yield lines.map((details) => ({ customId: details[0]?.customId ?? "", details }));
    }
  }
  const chunks = format === "xlsx" ? writeXlsx(columns, rows()) : writeCsv(columns, rows());
  return { name: `Comparison of ${names[0]}`, chunks, written: () => count };
}

/** The columns of one batch. Batches may have the same name, so that each has a letter, too. */
function createColumns(name: string, place: number): TableColumn<ComparedRow>[] {
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
    column("prompt_tokens", ({ promptTokens }) => promptTokens),
    column("completion_tokens", ({ completionTokens }) => completionTokens),
  ];
}
