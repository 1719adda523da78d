import type { ExportRequest, ResultDetail } from "#contract";
import { type BatchApi, nameOf } from "../connections/index.ts";
import { type CsvColumn, writeCsv } from "../exports/index.ts";

export interface ComparisonExport {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The bytes of a CSV file. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How many lines have been written. */
  written(): number;
}

/** Lines that batches have in common, with the answers side by side. */
export function openComparisonExport(
  { ids, filter }: Extract<ExportRequest, { what: "comparison" }>,
  { batches, comparisons, files }: Pick<BatchApi, "batches" | "comparisons" | "files">,
): ComparisonExport {
  const names = ids.map((id) => {
    const batch = batches.get(id);
    return batch === undefined ? id : nameOf(batch, { files });
  });
  const columns: CsvColumn<readonly ResultDetail[]>[] = [
    { name: "custom_id", read: ([first]) => first?.customId ?? null },
    { name: "question", read: ([first]) => first?.question ?? null },
    ...names.flatMap(createColumns),
  ];
  let count = 0;
  async function* rows() {
    for await (const lines of comparisons.details(ids, filter)) {
      count += lines.length;
      yield lines;
    }
  }
  return { name: `Comparison of ${names[0]}`, chunks: writeCsv(columns, rows()), written: () => count };
}

/** The columns of one batch. Batches may have the same name, so that each has a letter, too. */
function createColumns(name: string, place: number): CsvColumn<readonly ResultDetail[]>[] {
  const column = (what: string, read: (detail: ResultDetail) => string | number | null) => ({
    name: `${String.fromCharCode(65 + place)} ${name}: ${what}`,
    read: (details: readonly ResultDetail[]) => {
      const detail = details[place];
      return detail === undefined ? null : read(detail);
    },
  });
  return [
    column("answer", ({ state, answer }) => (state === "answered" ? answer : null)),
    column("status", ({ state }) => state),
    column("error", ({ state, answer }) => (state === "failed" || state === "skipped" ? answer : null)),
    column("grade", ({ grade }) => grade),
    column("verdict", ({ verdict }) => verdict),
    column("prompt_tokens", ({ promptTokens }) => promptTokens),
    column("completion_tokens", ({ completionTokens }) => completionTokens),
  ];
}
