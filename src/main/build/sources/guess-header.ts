import type { CsvLayout } from "#contract";
import { isDate, isNumber } from "./guess-types.ts";
import { rateHeader } from "./rate-header.ts";

/** A row that is not blank, its cells without the spaces around them. */
interface GuessedRow {
  /** In the table, from 1, blank rows counted. */
  readonly number: number;
  readonly cells: readonly string[];
  /** The cells that are not empty. */
  readonly filled: readonly string[];
  /** Cells up to the last one that is not empty. */
  readonly span: number;
}

/** The rows at the start of a table, or of a part of it, that a header is looked for in. */
const headRows = 10;

/** Which row names the columns, and how many after it are no data. */
interface GuessedHeader extends Pick<CsvLayout, "header" | "skip"> {
  /** Whether the row that names the columns may as well be data, or the first row of data a header. */
  readonly isDoubtful: boolean;
}

/**
 * Guesses which row names the columns, and how many after it are no data, such as units. `rows` are the first of the table,
 * blank ones too. Titles and notes above the table are left out. In doubt the first row names the columns.
 */
export function guessHeader(rows: readonly (readonly string[])[]): GuessedHeader {
  const read = rows.map(readRow).filter(({ filled }) => filled.length > 0);
  const width = guessWidth(read);
  const { header, isDoubtful } = findHeader(splitBlocks(read), width);
  if (header === null) return { header: null, skip: countTitleRows(read, width), isDoubtful };
  const below = read.filter(({ number }) => number > header.number);
  return { header: header.number, skip: countExtraRows(header, below), isDoubtful };
}

/** The rows after a header that are no data: those that a survey tool adds, or units. */
function countExtraRows(header: GuessedRow, below: readonly GuessedRow[]): number {
  // Qualtrics writes the questions, then the ids of its import, one JSON object in each cell.
  const ids = below.slice(0, 2).find(({ filled }) => filled.every((cell) => /^\{"ImportId":/.test(cell)));
  if (ids !== undefined) return ids.number - header.number;
  const [next, ...others] = below;
  return next !== undefined && areUnits(next, others) ? next.number - header.number : 0;
}

function readRow(row: readonly string[], at: number): GuessedRow {
  const cells = row.map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== "");
  return { number: at + 1, cells, filled, span: cells.findLastIndex((cell) => cell !== "") + 1 };
}

/** The number of cells that is filled in most of the table: a row counts for as many as it has. */
function guessWidth(rows: readonly GuessedRow[]): number {
  const weights = new Map<number, number>();
  for (const { filled } of rows) weights.set(filled.length, (weights.get(filled.length) ?? 0) + filled.length);
  return [...weights].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** The runs of rows between blank ones. */
function splitBlocks(rows: readonly GuessedRow[]): GuessedRow[][] {
  const blocks: GuessedRow[][] = [];
  for (const row of rows) {
    const block = blocks.at(-1);
    if (block?.at(-1)?.number === row.number - 1) block.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

/** Whether a row has the width of the table: a title has a cell or two, or the same text in all of its merged cells. */
function isWide({ filled }: GuessedRow, width: number): boolean {
  const isMerged = filled.length > 2 && filled.every((cell) => cell === filled[0]) && !isNumber(filled[0] ?? "");
  return filled.length * 2 > width && !isMerged;
}

interface FoundHeader {
  readonly header: GuessedRow | null;
  readonly isDoubtful: boolean;
}

function findHeader(blocks: readonly GuessedRow[][], width: number): FoundHeader {
  const first = blocks.findIndex((block) => block.some((row) => isWide(row, width)));
  const found = blocks[first];
  if (found === undefined) return { header: null, isDoubtful: false };
  const sure = (header: GuessedRow | null): FoundHeader => ({ header, isDoubtful: false });
  const rows = blocks.flat();
  const start = found.find((row) => isWide(row, width));
  const names = found
    .slice(0, headRows)
    .findLast((row) => namesOthers(row, found, width) && isAfterTitles(row, found, width));
  if (names !== undefined && names !== start) return sure(names);
  const isHeader = start !== undefined && looksLikeHeader(start, rows);
  const rated = isHeader ? rate(start, rows) : 0;
  if (isHeader && areNamesForSure(start.filled) && rated >= 0) {
    return { header: start, isDoubtful: rated === 0 && rows.at(-1) !== start };
  }
  // Above a blank row may be notes of two cells, as wide as a narrow table.
  const later = blocks.slice(first + 1, first + 3).find((block) => block.length > found.length) ?? [];
  const named = found.length <= headRows ? later.find((row) => isWide(row, width)) : undefined;
  if (named !== undefined && namesOthers(named, later, width) && areNamesForSure(named.filled)) return sure(named);
  return start === undefined ? sure(null) : judge(start, rows);
}

/** The first row of a table, as its header or as data. */
function judge(start: GuessedRow, rows: readonly GuessedRow[]): FoundHeader {
  const below = rows.filter(({ number }) => number > start.number);
  if (below.length === 0) return { header: looksLikeHeader(start, rows) ? start : null, isDoubtful: false };
  const rated = rate(start, rows);
  if (rated !== 0) return { header: rated > 0 ? start : null, isDoubtful: Math.abs(rated) < 1 };
  // A list of texts, one on each line, is no table: its first one is a text, too.
  const isText = start.filled.length === 1 && below.every(({ filled }) => filled.length === 1) && !isShort(start);
  return { header: isText ? null : start, isDoubtful: true };
}

const isShort = ({ filled: [text = ""] }: GuessedRow) => text.split(/\s+/).length < 3;

function rate({ number, cells }: GuessedRow, rows: readonly GuessedRow[]): number {
  return rateHeader(
    cells,
    rows.filter((row) => row.number > number).map((row) => row.cells),
  );
}

/** Whether the rows above, in the same block, are titles and notes: they end before the row does, and are no table. */
function isAfterTitles(row: GuessedRow, block: readonly GuessedRow[], width: number): boolean {
  const above = block.slice(0, block.indexOf(row));
  return above.every((title) => (title.span < row.span || !isWide(title, width)) && !namesOthers(title, above, width));
}

/** Whether a row names columns, and most of those below it in its block are something else than names. */
function namesOthers(row: GuessedRow, block: readonly GuessedRow[], width: number): boolean {
  const below = block.slice(block.indexOf(row) + 1);
  const values = below.filter(({ filled }) => !areNames(filled));
  return isWide(row, width) && looksLikeHeader(row, block) && values.length * 2 > below.length;
}

/** Whether a row names the columns of those after it; of a table without rows where it is the only one. */
function looksLikeHeader({ number, filled }: GuessedRow, rows: readonly GuessedRow[]): boolean {
  const below = rows.filter((row) => row.number > number);
  const areDifferent = new Set(filled).size === filled.length;
  if (below.length === 0) return areDifferent && areNamesForSure(filled);
  // Repeated names are still names where none of them is a value below.
  return areNames(filled) && (areDifferent || !below.some((row) => row.filled.some((cell) => filled.includes(cell))));
}

/** Names of columns are short, and neither numbers nor dates nor sentences. */
function areNames(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.length <= 64 && !isNumber(cell) && !isDate(cell) && !/[.?!\n]$|\n/.test(cell));
}

/** Whether cells look like column names, with no row to compare them with: they start with a letter and have few words. */
function areNamesForSure(cells: readonly string[]): boolean {
  const mostWords = cells.length === 1 ? 1 : 3;
  return areNames(cells) && cells.every((cell) => /^[\p{L}_]/u.test(cell) && cell.split(/\s+/).length <= mostWords);
}

/** Whether a row under the header has units: each of its cells in brackets, or a short text above nothing but numbers. */
function areUnits({ cells, filled }: GuessedRow, below: readonly GuessedRow[]): boolean {
  // A single column may have a text among its numbers.
  if (below.length === 0 || cells.length < 2) return false;
  if (filled.every((cell) => /^[[(].*[\])]$/.test(cell))) return true;
  return cells.every((cell, at) => cell === "" || (isUnit(cell) && areNumbers(below, at)));
}

function isUnit(cell: string): boolean {
  return (
    cell.length <= 12 && !isNumber(cell) && !isDate(cell) && !/^(n\/?a|nan|nil|none|null|unknown|\W+)$/i.test(cell)
  );
}

/** Whether a column has several numbers, and nothing else. */
function areNumbers(rows: readonly GuessedRow[], column: number): boolean {
  const filled = rows.map(({ cells }) => cells[column] ?? "").filter((cell) => cell !== "");
  return filled.length > 1 && filled.every(isNumber);
}

/** Rows above a table without a header that are no data for sure: one text each, above a column of nothing but numbers. */
function countTitleRows(rows: readonly GuessedRow[], width: number): number {
  const start = rows.findIndex((row) => isWide(row, width));
  const table = rows.slice(start);
  const isTitle = ({ cells, filled: [text = "", ...others] }: GuessedRow) =>
    others.length === 0 && !isNumber(text) && areNumbers(table, cells.indexOf(text));
  return start > 0 && rows.slice(0, start).every(isTitle) ? (table[0]?.number ?? 1) - 1 : 0;
}
