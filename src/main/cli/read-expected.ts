import type { SourceLayout } from "#contract";
import { loadTables } from "#main/build";
import type { ExpectedAnswer } from "#main/verifications";
import { CliError, exitCodes } from "./cli-error.ts";
import { type OpenTable, openTable, toTableError } from "./open-table.ts";

/** The most problems that are reported; a wrong column has one in each row. */
const mostProblems = 20;

export interface ExpectedColumns {
  readonly id: string;
  /** The column with expected values; null where any answer will do. */
  readonly column: string | null;
  /** Why an expected value can't be used; null when it can. */
  readonly findMistake: (expected: string) => string | null;
}

/**
 * Reads two columns of a table, whose conversion goes to `folder`.
 * @throws CliError with all problems of the table, each with the number of its row
 */
export async function readExpected(
  path: string,
  folder: string,
  columns: ExpectedColumns,
  layout: SourceLayout,
  onOpen: (table: OpenTable) => void,
): Promise<ExpectedAnswer[]> {
  const table = await openTable(path, folder, layout);
  try {
    onOpen(table);
    return await collect(path, table, columns);
  } catch (error) {
    throw toTableError(error, path);
  }
}

async function collect(
  path: string,
  { path: content, source }: OpenTable,
  { id, column, findMistake }: ExpectedColumns,
): Promise<ExpectedAnswer[]> {
  const [idAt = -1, columnAt = null] = findColumns(path, source.columns, column === null ? [id] : [id, column]);
  const problems: string[] = [];
  const expected: ExpectedAnswer[] = [];
  const firstRows = new Map<string, number>();
  const report = (row: number, message: string) => problems.push(`${path}: row ${row}: ${message}`);

  const { readRows } = await loadTables();
  for await (const rows of readRows(content, source)) {
    for (const { number, cells, fault } of rows) {
      const customId = cells[idAt] ?? "";
      const value = columnAt === null ? null : (cells[columnAt] ?? "");
      if (fault !== null) report(number, fault);
      else if (customId === "") report(number, `It has no '${id}'.`);
      else if (firstRows.has(customId)) report(number, `'${customId}' stands in row ${firstRows.get(customId)}, too.`);
      else {
        const mistake = value === null ? null : findMistake(value);
        if (mistake !== null) report(number, mistake);
        firstRows.set(customId, number);
        expected.push({ customId, expected: value });
      }
    }
    if (problems.length >= mostProblems) break;
  }
  if (problems.length > 0) throw new CliError(problems.slice(0, mostProblems).join("\n"), exitCodes.unusable);
  if (expected.length === 0) throw new CliError(`${path}: the table has no rows.`, exitCodes.unusable);
  return expected;
}

/** @throws CliError when the table has no such column */
function findColumns(path: string, columns: readonly string[], wanted: readonly string[]): number[] {
  return wanted.map((column) => {
    const at = columns.indexOf(column);
    if (at !== -1) return at;
    const list = columns.map((name) => `'${name}'`).join(", ");
    throw new CliError(`${path}: there is no column '${column}'. The columns are ${list}.`, exitCodes.unusable);
  });
}
