import { type CsvLayout, formatCount, formatNumber } from "#contract";
import { BuildError } from "../errors.ts";
import { nameColumns, numberedColumn } from "./column-names.ts";
import { tooLong, toVisited, type VisitedRecord, visitCsvRecords } from "./csv-records.ts";
import { type Content, createRowCounter, noNotes, type Pass, refuseTooWide } from "./row-counter.ts";
import { readSheetRecords } from "./workbooks/sheet-records.ts";

const needsColumns = "It is to tell the columns of the table.";

/** Counts what rows lack, and finds where the table ends: the columns after have neither a name nor a value. */
function createCellCounter(columns: number, named: number) {
  const empty = new Array<number>(columns).fill(0);
  /** Rows that have so many cells, less than there are columns. */
  const shorter = new Array<number>(columns).fill(0);
  let longer = 0;
  let used = Math.max(1, named);
  const sum = (counts: readonly number[]) => counts.slice(0, used).reduce((total, count) => total + count, 0);
  return {
    add(record: VisitedRecord): void {
      const { width } = record;
      if (width < columns) shorter[width] = (shorter[width] ?? 0) + 1;
      for (let at = columns; at < width; at++) {
        if (record.isEmpty(at)) continue;
        longer += 1;
        break;
      }
      for (let at = 0; at < columns && at < width; at++) {
        if (record.isEmpty(at)) empty[at] = (empty[at] ?? 0) + 1;
        else if (at >= used) used = at + 1;
      }
    },
    result: () => ({ used, emptyCells: sum(empty), raggedRows: longer + sum(shorter) }),
  };
}

async function* visitSheetRecords(
  path: string,
  start: number,
  visit: (record: VisitedRecord) => void,
): AsyncGenerator<void> {
  for await (const records of readSheetRecords(path, start)) {
    for (const record of records) visit(toVisited({ ...record, comments: 0 }));
    yield;
  }
}

/** Names the columns of a table by its header, if it has one, and counts its rows. */
export async function* indexCsv(content: Content, layout: CsvLayout): Pass {
  const { header, skip, ...dialect } = layout;
  const counter = createRowCounter(content);
  let table: { columns: string[]; renamed: string[]; cells: ReturnType<typeof createCellCounter> } | null = null;
  let row = 0;
  let comments = 0;
  let headerRow: number | null = null;
  let firstRow = header ?? skip + 1;

  /** The columns, by the row that names them or by the first row of data. */
  function begin(record: VisitedRecord) {
    if (record.fault === tooLong) throw new BuildError("refused", `Line ${row}: ${tooLong} ${needsColumns}`);
    refuseTooWide(record.width);
    const cells = record.cells();
    const named = header === null ? 0 : cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    const names =
      header === null ? { columns: cells.map((_, at) => numberedColumn(at)), renamed: [] } : nameColumns(cells);
    return { ...names, cells: createCellCounter(cells.length, named) };
  }

  function visit(record: VisitedRecord): void {
    row += record.blankLines + record.comments + 1;
    comments += record.comments;
    if (row < firstRow) {
      counter.startAt(record.end);
      return;
    }
    const isHeader = table === null && header !== null;
    table ??= begin(record);
    if (isHeader) {
      headerRow = row;
      firstRow = row + skip + 1;
      counter.startAt(record.end);
      return;
    }
    counter.add(record.end);
    if (record.fault === null) table.cells.add(record);
  }

  const { path, start, isSheet, encoding } = content;
  const visits = isSheet
    ? visitSheetRecords(path, start, visit)
    : visitCsvRecords(path, { dialect, start, encoding }, visit);
  for await (const _ of visits) yield* counter.progress();
  const found = table as ReturnType<typeof begin> | null;
  if (found === null) {
    const rows = `This table has ${formatCount(row, "row")}, and none with the number ${formatNumber(firstRow)}.`;
    throw new BuildError("refused", `${rows} Choose a smaller one.`);
  }
  const { used, emptyCells, raggedRows } = found.cells.result();
  const isUsed = new Set(found.columns.slice(0, used));
  const renamed = found.renamed.filter((name) => isUsed.has(name));
  return {
    columns: [...isUsed],
    notes: { ...noNotes, emptyCells, raggedRows, renamed, comments },
    csv: { ...dialect, header: headerRow, skip },
    ...counter.result(),
  };
}
