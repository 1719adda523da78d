import { BuildError } from "../../errors.ts";

/** A row of a sheet that has a cell. */
export interface SheetRow {
  /** As the sheet counts, from 1. */
  readonly number: number;
  readonly isHidden: boolean;
  /** Its cells up to the last one that has a value, each as JSON: a text, a number as it is printed, `true`, `null`. */
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** What is noticed about the cells of a sheet while it is read; each gets a reference such as `C3`. */
export interface CellReports {
  /** A formula whose value the workbook does not have. */
  onUnknown?(reference: string): void;
  /** A formula that failed: its error, such as `#DIV/0!`. */
  onError?(reference: string, error: string): void;
  /** A whole number of more digits than spreadsheets have. */
  onRounded?(reference: string): void;
}

export interface Workbook {
  /** Visible ones first, each part in the order of the tabs. */
  readonly sheets: readonly Sheet[];
  /** The rows of a sheet that have a cell, some at a time. */
  rows(sheet: string, reports?: CellReports): AsyncGenerator<readonly SheetRow[]>;
  close(): void;
}

export interface WorkbookOptions {
  /** Numbers by the formats of their cells, as people see them; default: their values. */
  readonly asShown?: boolean;
}

const mostSheets = 1_000;
export const mostRows = 1_048_576;

export const unreadable =
  "This workbook can't be read. Open it in a spreadsheet program, save it as .xlsx again, and add that.";

export const isProtected =
  "This workbook is protected by a password. Remove the password in its spreadsheet program, and add it again.";

/** The refusal of a workbook for a reason: a sentence without its end. */
export function refuseWorkbook(reason: string): BuildError {
  return new BuildError(
    "refused",
    `${reason}. Open the workbook in a spreadsheet program, save it as .xlsx, and add that.`,
  );
}

/** Sheets in the order in which they are offered. Throws where there are too many, or none. */
export function orderSheets(sheets: readonly Sheet[]): Sheet[] {
  if (sheets.length > mostSheets) throw new BuildError("refused", "This workbook has more than 1,000 sheets.");
  if (sheets.length === 0) throw new BuildError("refused", "This workbook has no sheet with cells.");
  return [...sheets.filter(({ isHidden }) => !isHidden), ...sheets.filter(({ isHidden }) => isHidden)];
}

/** The column of a reference such as `AB12`, from 0; undefined where the cell has none. */
export function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? "")?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The letters of a column, counted from 0: `AB` for 27. */
export function nameColumn(at: number): string {
  return (at < 26 ? "" : nameColumn(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
}
