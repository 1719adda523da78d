import {
  escapeFormula,
  formatCount,
  formatNumber,
  type ResultFilter,
  type ResultRow,
  type ResultSort,
  sourcePrefix,
} from "#contract";
import type { Rpc } from "../../../bridge/index.ts";
import type { ResultColumn } from "./result-columns.tsx";

/** Rows that are copied at most, and fetched at a time. */
export const mostCopiedRows = 5_000;
const rowsPerCall = 200;

/** Rows of a batch, by their places from 0, both included, among those that the filter leaves. */
export interface RowsToCopy {
  readonly batchId: string;
  readonly filter: ResultFilter;
  readonly sort: ResultSort | null;
  readonly merged: boolean;
  readonly first: number;
  readonly last: number;
}

/**
 * Rows as a spreadsheet takes them: with a head, fetched with their texts whole, and formulas as text. `count` is how many rows
 * the text has.
 */
export async function readRowsToCopy(
  { results }: { readonly results: Pick<Rpc["results"], "wholeRows"> },
  { batchId, filter, sort, merged, first, last }: RowsToCopy,
  columns: readonly ResultColumn[],
): Promise<{ readonly text: string; readonly count: number }> {
  const sourceColumns = columns.flatMap(({ id }) =>
    id.startsWith(sourcePrefix) ? [id.slice(sourcePrefix.length)] : [],
  );
  const end = Math.min(last + 1, first + mostCopiedRows);
  const choice = { filter, ...(sort && { sort }), ...(merged && { merged }), sourceColumns };
  const rows: ResultRow[] = [];
  for (let offset = first; offset < end; offset += rowsPerCall) {
    const limit = Math.min(rowsPerCall, end - offset);
    const some = await results.wholeRows({ batchId, offset, limit, ...choice });
    rows.push(...some);
    if (some.length < limit) break;
  }
  const head = columns.map(({ header, copiedHeader = header }) => copiedHeader);
  const text = toTabbedText([head, ...rows.map((row) => columns.map(({ text }) => text(row)))]);
  return { text, count: rows.length };
}

/** What a notice says of rows that were copied. */
export function describeCopied(count: number, chosen: number): string {
  if (count >= chosen) return `${formatCount(count, "row")} copied`;
  const part = `${formatNumber(count)} of ${formatCount(chosen, "row")} copied`;
  return count === mostCopiedRows
    ? `The first ${part}. Export the results to get all of them.`
    : `${part}: the others no longer fit the filters.`;
}

/** Cells with tabs between them; those that hold a tab, a line end or a quotation mark are quoted. Formulas are text. */
export function toTabbedText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map((cell) => quote(escapeFormula(cell))).join("\t")).join("\n");
}

function quote(cell: string): string {
  return /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
