import type { ResultDetail, ResultRow } from "#contract";
import type { Rpc } from "../../../bridge/index.ts";
import type { ResultColumn } from "./result-columns.tsx";

/** Rows that are copied at most, and fetched at a time. */
export const mostCopiedRows = 5_000;
const rowsPerCall = 200;

/** Rows as a spreadsheet takes them: with a head, their texts whole. */
export async function readRowsToCopy(
  { results }: Pick<Rpc, "results">,
  batchId: string,
  rows: readonly ResultRow[],
  columns: readonly ResultColumn[],
  merged: boolean,
): Promise<string> {
  const whole: (ResultRow | ResultDetail)[] = [];
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const some = rows.slice(from, from + rowsPerCall);
    const details = await results.lines({ batchId, lines: some.map(({ line }) => line), ...(merged && { merged }) });
    some.forEach((row, at) => {
      const detail = details[at];
      whole.push(detail === undefined ? row : { ...row, question: detail.question, answer: detail.answer });
    });
  }
  return toTabbedText([
    columns.map(({ header }) => header),
    ...whole.map((row) => columns.map(({ text }) => text(row))),
  ]);
}

/** Cells with tabs between them; those that hold a tab, a line end or a quotation mark are quoted. */
export function toTabbedText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(quote).join("\t")).join("\n");
}

function quote(cell: string): string {
  return /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
