import type { SheetRow, Workbook } from "./workbook.ts";

/** The rows of a sheet by which it is told whether it has a table. */
const sampleRows = 200;

interface SheetLook {
  readonly name: string;
  readonly isHidden: boolean;
  /** Rows that have cells, as far as they are looked at. */
  readonly rows: readonly SheetRow[];
}

/**
 * The sheet that is read where none is chosen: the first visible one with a table, before covers and notes; where none has
 * one, the first with a cell. Undefined where all are empty.
 */
export async function chooseSheet(book: Workbook): Promise<string | undefined> {
  const looks: SheetLook[] = [];
  for (const { name, isHidden } of book.sheets) {
    // Hidden sheets come last.
    if (isHidden && looks.some(({ rows }) => rows.length > 0)) break;
    const look = { name, isHidden, rows: await readSome(book, name) };
    if (hasTable(look.rows)) return name;
    looks.push(look);
  }
  return (looks.find(({ rows }) => hasList(rows)) ?? looks.find(({ rows }) => rows.length > 0))?.name;
}

async function readSome(book: Workbook, name: string): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const some of book.rows(name)) {
    rows.push(...some);
    if (rows.length >= sampleRows) break;
  }
  return rows;
}

function filledOf({ cells }: Pick<SheetRow, "cells">): string[] {
  return cells.filter((cell) => cell !== "null");
}

/** Whether rows of several cells follow one another, and are more than the labels of a cover with their values. */
function hasTable(rows: readonly SheetRow[]): boolean {
  const wide = rows.filter((row) => filledOf(row).length > 1);
  const followed = wide.filter((row, at) => wide[at + 1]?.number === row.number + 1).length;
  if (followed === 0) return false;
  const isPaired = wide.every((row) => filledOf(row).length === 2);
  if (!isPaired) return true;
  const labels = wide.map((row) => filledOf(row)[0] ?? "");
  const areLabels = labels.filter((label) => /:\s*"$/.test(label)).length * 2 > labels.length;
  const isTitled = filledOf(rows[0] ?? { cells: [] }).length === 1;
  const areFewNames = labels.length <= mostPairs && labels.every((label) => /^"\D+"$/.test(label));
  return !areLabels && !(isTitled && areFewNames) && wide.length * 2 > rows.length;
}

/** The most labels of a cover, below its title. */
const mostPairs = 8;

/** Whether a sheet has a list: a name of a few words above other texts, in one column. */
function hasList(rows: readonly SheetRow[]): boolean {
  const [first] = rows;
  const name = first === undefined ? "" : (filledOf(first)[0] ?? "");
  return rows.length > 2 && name.split(/\s+/).length <= 3 && !/[.:!]"$/.test(name);
}
