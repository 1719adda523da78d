import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CsvLayout,
  formatCount,
  formatNumber,
  isWorkbook,
  type Source,
  type SourceHead,
  type SourceLayout,
  type SourceNotes,
} from "#contract";
import { BuildError } from "../errors.ts";
import { createThrottle } from "../throttle.ts";
import { nameColumns, numberedColumn } from "./column-names.ts";
import {
  convertedName,
  convertSource,
  detectFormat,
  findStart,
  hasSheetCells,
  readHead,
  type SourceFormat,
} from "./convert-source.ts";
import { readCsvRecords, tooLong } from "./csv-records.ts";
import { guessCsvLayout, sampleRecords } from "./guess-format.ts";
import { guessHeader } from "./guess-header.ts";
import { createInflationGuard } from "./inflation.ts";
import { createColumnCollector } from "./json-columns.ts";
import { isBlank, readJsonLine } from "./json-lines.ts";
import { type Line, readLines } from "./lines.ts";
import { fitCells, readSomeRows, toSourceRow } from "./read-rows.ts";
import { readPieces } from "./split-json.ts";
import { type Checkpoint, checkpointBytes, type IndexEvent, type Reading, type SourceIndex } from "./stored-source.ts";
import { readSheetRecords, type SheetReports } from "./workbooks/sheet-records.ts";

type Table = Pick<SourceIndex, "columns" | "paths" | "notes" | "rowCount" | "checkpoints" | "csv">;
/** A pass over the rows, which reports its progress at most ten times a second. */
type Pass = AsyncGenerator<Reading, Table>;

type Reports = AsyncGenerator<Reading, void>;

const newline = 0x0a;
const asGuessed: SourceLayout = { csv: null, encoding: null, sheet: null };
const noCells: SourceNotes["formulas"] = { count: 0, first: [] };
const noNotes: SourceNotes = {
  emptyCells: null,
  raggedRows: null,
  renamed: [],
  formulas: noCells,
  failedFormulas: noCells,
  roundedNumbers: noCells,
  hiddenRows: 0,
};

/** A text of `size` bytes whose first row begins after `start`. */
interface Content {
  readonly path: string;
  readonly start: number;
  readonly size: number;
  /** Whether its lines are the cells of a sheet. */
  readonly isSheet: boolean;
}

/** Cells of a kind that are named. */
const namedCells = 5;

/** Rows and bytes of text that a first look at a file takes. */
const headRows = 100;
const headBytes = 256 * 1024;

/** Counts rows, and records where they can be read from: one position at least every `checkpointBytes`. */
function createRowCounter({ start, size }: Content) {
  let checkpoints: Checkpoint[] = [[0, start]];
  const isTime = createThrottle();
  let rows = 0;
  let bytes = start;
  let lastCheckpoint = start;
  return {
    /** Leaves out what is before the byte `end`, as long as no row was counted. */
    startAt(end: number): void {
      checkpoints = [[0, end]];
      lastCheckpoint = end;
      bytes = end;
    },
    /** Counts a row that ends before the byte `end`. */
    add(end: number): void {
      rows += 1;
      bytes = end;
      if (end - lastCheckpoint < checkpointBytes) return;
      lastCheckpoint = end;
      checkpoints.push([rows, end]);
    },
    *progress(): Generator<Reading> {
      if (isTime()) yield { phase: "reading", bytes, total: size, rows };
    },
    result: () => ({ rowCount: rows, checkpoints }),
  };
}

/** As many as spreadsheets have. */
const mostColumns = 16_384;
const needsColumns = "It is to tell the columns of the table.";

function refuseTooWide(columns: number): void {
  if (columns <= mostColumns) return;
  const found = `This table has ${columns.toLocaleString("en")} columns; ${mostColumns.toLocaleString("en")} are the most.`;
  throw new BuildError("refused", `${found} Leave out those that are not needed, or choose another delimiter.`);
}

/** Counts what rows lack, and finds where the table ends: the columns after have neither a name nor a value. */
function createCellCounter(columns: number, named: number) {
  const empty = Array.from({ length: columns }, () => 0);
  /** Rows that have so many cells, less than there are columns. */
  const shorter = Array.from({ length: columns }, () => 0);
  let longer = 0;
  let used = Math.max(1, named);
  const sum = (counts: readonly number[]) => counts.slice(0, used).reduce((total, count) => total + count, 0);
  return {
    add(cells: readonly string[]): void {
      if (cells.length < columns) shorter[cells.length] = (shorter[cells.length] ?? 0) + 1;
      else if (fitCells(cells, columns).fault !== null) longer += 1;
      for (let at = 0; at < columns && at < cells.length; at++) {
        if (cells[at] === "") empty[at] = (empty[at] ?? 0) + 1;
        else if (at >= used) used = at + 1;
      }
    },
    result: () => ({ used, emptyCells: sum(empty), raggedRows: longer + sum(shorter) }),
  };
}

async function* indexCsv(content: Content, { delimiter, header, skip }: CsvLayout): Pass {
  const { path, start, isSheet } = content;
  const counter = createRowCounter(content);
  let table: { columns: string[]; renamed: string[]; cells: ReturnType<typeof createCellCounter> } | null = null;
  let row = 0;
  let headerRow: number | null = null;
  let firstRow = header ?? skip + 1;
  for await (const records of isSheet ? readSheetRecords(path, start) : readCsvRecords(path, { delimiter, start })) {
    for (const { cells, end, fault, blankLines } of records) {
      row += blankLines + 1;
      if (row < firstRow) {
        counter.startAt(end);
        continue;
      }
      if (table === null) {
        if (fault === tooLong) throw new BuildError("refused", `Line ${row}: ${tooLong} ${needsColumns}`);
        refuseTooWide(cells.length);
        const named = header === null ? 0 : cells.findLastIndex((cell) => cell.trim() !== "") + 1;
        const names =
          header === null ? { columns: cells.map((_, at) => numberedColumn(at)), renamed: [] } : nameColumns(cells);
        table = { ...names, cells: createCellCounter(cells.length, named) };
        if (header !== null) {
          headerRow = row;
          firstRow = row + skip + 1;
          counter.startAt(end);
          continue;
        }
      }
      counter.add(end);
      if (fault === null) table.cells.add(cells);
    }
    yield* counter.progress();
  }
  if (table === null) {
    const found = `This table has ${formatCount(row, "row")}, and none with the number ${formatNumber(firstRow)}.`;
    throw new BuildError("refused", `${found} Choose a smaller one.`);
  }
  const { used, emptyCells, raggedRows } = table.cells.result();
  const isUsed = new Set(table.columns.slice(0, used));
  return {
    columns: [...isUsed],
    notes: { ...noNotes, emptyCells, raggedRows, renamed: table.renamed.filter((name) => isUsed.has(name)) },
    csv: { delimiter, header: headerRow, skip },
    ...counter.result(),
  };
}

async function* indexRows(content: Content): Pass {
  const counter = createRowCounter(content);
  const collector = createColumnCollector();
  for await (const lines of readLines(content.path, { start: content.start })) {
    for (const line of lines) {
      if (isBlank(line)) continue;
      counter.add(line.end);
      collector.add(readJsonLine(line, { keysOnly: true }).object ?? {});
    }
    refuseTooWide(collector.width);
    yield* counter.progress();
  }
  const { columns, paths, renamed } = collector.result();
  refuseTooWide(columns.length);
  return { columns, paths, notes: { ...noNotes, renamed }, csv: null, ...counter.result() };
}

/**
 * Every line of a batch input file is a row, a blank one too, so that its number is the one that problems name. Only a
 * blank last line is none.
 */
async function* indexRequests(content: Content): Pass {
  const counter = createRowCounter(content);
  let blank: Line | null = null;
  for await (const lines of readLines(content.path, { start: content.start })) {
    for (const line of lines) {
      if (blank !== null) counter.add(blank.end);
      blank = isBlank(line) ? line : null;
      if (blank === null) counter.add(line.end);
    }
    yield* counter.progress();
  }
  return { columns: ["line"], notes: noNotes, csv: null, ...counter.result() };
}

/** Writes the converted file, and reports the rows so far. */
async function* writeConverted(pieces: AsyncIterable<string | Buffer>, target: string, total: number): Reports {
  const part = `${target}.part`;
  const file = await open(part, "w");
  const isTime = createThrottle();
  const take = createInflationGuard(total);
  let rows = 0;
  let isWhole = false;
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) rows += 1;
      take(bytes.length);
      await file.appendFile(bytes);
      if (isTime()) yield { phase: "reading", bytes: 0, total, rows };
    }
    isWhole = true;
  } finally {
    await file.close();
    if (isWhole) await rename(part, target);
    else await rm(part, { force: true });
  }
}

async function openContent(path: string, isSheet: boolean): Promise<Content> {
  const { size } = await stat(path);
  return { path, start: await findStart(path), size, isSheet };
}

/** The layout of a text's records; null for JSON Lines. What is set already is not guessed. */
async function layOut(
  { path, start, isSheet }: Content,
  { kind }: SourceFormat,
  name: string,
  wanted: CsvLayout | null,
) {
  if (kind !== "csv" && !isSheet) return null;
  if (wanted !== null) return wanted;
  if (isSheet) return { delimiter: "," as const, ...guessHeader(await readFirstRows(path)) };
  const text = new TextDecoder().decode((await readHead(path)).subarray(start));
  return guessCsvLayout(text, name);
}

/** The first rows of a sheet as texts, blank ones too. */
async function readFirstRows(path: string): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const records of readSheetRecords(path, 0)) {
    for (const { cells, blankLines } of records) {
      const blank = Math.min(blankLines, sampleRecords - rows.length);
      rows.push(...Array.from({ length: blank }, () => []), cells);
      if (rows.length >= sampleRecords) return rows;
    }
  }
  return rows;
}

function indexTable(content: Content, { holds }: Pick<Source, "holds">, csv: CsvLayout | null): Pass {
  if (csv !== null) return indexCsv(content, csv);
  return holds === "requests" ? indexRequests(content) : indexRows(content);
}

/**
 * Reads a source once: converts it to text that can be read from any row on, guesses kind and layout but for what is
 * `wanted`, names the columns, counts the rows and records their positions. Reports progress; the last event has the result.
 * Refuses what is not a table or is empty.
 */
export async function* indexSource(
  path: string,
  name: string,
  wanted: SourceLayout = asGuessed,
): AsyncGenerator<IndexEvent> {
  const format = await detectFormat(path, name, wanted);
  const noticed = collectNotes();
  const pieces = convertSource(path, format, noticed.reports);
  const converted = pieces === null ? "content" : convertedName(format);
  const target = pieces === null ? path : join(dirname(path), converted);
  if (pieces !== null) yield* writeConverted(pieces, target, (await stat(path)).size);
  const content = await openContent(target, hasSheetCells(converted));
  if (!(await hasText(content))) throw new BuildError("refused", "This file is empty. Add one that has rows in it.");
  const csv = await layOut(content, format, name, wanted.csv);
  const table = yield* indexTable(content, format, csv);
  const notes = { ...table.notes, ...noticed.notes() };
  yield { phase: "indexed", index: { ...format, content: converted, ...table, notes } };
}

/** Collects what is noticed about a sheet. */
function collectNotes() {
  const collect = () => {
    const cells = { count: 0, first: [] as string[] };
    const add = (cell: string) => {
      if (cells.count < namedCells) cells.first.push(cell);
      cells.count += 1;
    };
    return { cells, add };
  };
  const [formulas, failed, rounded] = [collect(), collect(), collect()];
  let hiddenRows = 0;
  const reports: SheetReports = {
    onUnknown: formulas.add,
    onError: (cell, error) => failed.add(`${cell} (${error})`),
    onRounded: rounded.add,
    onHidden: () => {
      hiddenRows += 1;
    },
  };
  const notes = () => ({
    formulas: formulas.cells,
    failedFormulas: failed.cells,
    roundedNumbers: rounded.cells,
    hiddenRows,
  });
  return { reports, notes };
}

async function hasText({ path, start }: Content): Promise<boolean> {
  return (await readHead(path)).subarray(start).toString("utf8").trim() !== "";
}

/**
 * The first rows of a file that may be uploaded only in part; null where that part is not enough. Its temporary file is next
 * to the upload, and removed at the end.
 */
export async function readSourceHead(path: string, name: string): Promise<SourceHead | null> {
  const target = `${path}.head`;
  try {
    const format = await detectFormat(path, name, asGuessed);
    const isCut = await writeStart(convertSource(path, format) ?? readPieces(path), target);
    const content = await openContent(target, isWorkbook(format));
    const csv = await layOut(content, format, name, null);
    const table = await finish(indexTable(content, format, csv));
    const { columns } = table;
    const rows = await readSomeRows(target, { ...table, ...format, content: convertedName(format) }, 1, headRows + 1);
    const whole = isCut || rows.length > headRows ? rows.slice(0, -1) : rows;
    return { columns, rows: whole.map((row) => toSourceRow(row, columns)) };
  } catch (error) {
    // Problems of the file are reported when all of it is read.
    if (error instanceof BuildError) return null;
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}

/** Writes the first part of a text; returns whether there is, or may be, more. */
async function writeStart(pieces: AsyncIterable<string | Buffer>, target: string): Promise<boolean> {
  let written = 0;
  const file = await open(target, "w");
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece).subarray(0, headBytes - written);
      await file.appendFile(bytes);
      written += bytes.length;
      if (written >= headBytes) return true;
    }
    return true;
  } finally {
    await file.close();
  }
}

async function finish(pass: Pass): Promise<Table> {
  for (;;) {
    const step = await pass.next();
    if (step.done) return step.value;
  }
}
