import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CsvChoice,
  isWorkbook,
  type Source,
  type SourceHead,
  type SourceLayout,
  type SourceNotes,
} from "#contract";
import { BuildError } from "../errors.ts";
import { createThrottle } from "../throttle.ts";
import {
  convertedName,
  convertSource,
  detectFormat,
  findStart,
  hasSheetCells,
  readHead,
  type SourceFormat,
} from "./convert-source.ts";
import { sampleRecords } from "./guess-dialect.ts";
import { type GuessedLayout, guessLayout, guessSheetLayout } from "./guess-layout.ts";
import { indexCsv } from "./index-csv.ts";
import { createInflationGuard } from "./inflation.ts";
import { createColumnCollector } from "./json-columns.ts";
import { isBlank, readJsonLine } from "./json-lines.ts";
import { type Line, readLines } from "./lines.ts";
import { readSomeRows } from "./read-rows.ts";
import { type Content, createRowCounter, noNotes, type Pass, refuseTooWide, type Table } from "./row-counter.ts";
import { readPieces } from "./split-json.ts";
import { type IndexEvent, type Reading, toSourceRow } from "./stored-source.ts";
import { readSheetRecords, type SheetReports } from "./workbooks/sheet-records.ts";

type Reports = AsyncGenerator<Reading, void>;

const newline = 0x0a;
const asGuessed: SourceLayout = { csv: null, encoding: null, sheet: null };
/** Cells of a kind that are named. */
const namedCells = 5;

/** Rows and bytes of text that a first look at a file takes. */
const headRows = 100;
const headBytes = 256 * 1024;

async function* indexRows(content: Content): Pass {
  const counter = createRowCounter(content);
  const collector = createColumnCollector();
  let hasRows = false;
  let firstFault: string | null = null;
  for await (const lines of readLines(content.path, { start: content.start })) {
    for (const line of lines) {
      if (isBlank(line)) continue;
      counter.add(line.end);
      const { object, fault } = readJsonLine(line, { keysOnly: true });
      firstFault ??= fault;
      if (object === null) continue;
      hasRows = true;
      collector.add(object);
    }
    refuseTooWide(collector.width);
    yield* counter.progress();
  }
  if (!hasRows && firstFault !== null) {
    throw new BuildError("refused", `No row of this file is a JSON object. The first: ${firstFault}`);
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

async function openContent(path: string, isSheet: boolean, encoding: Source["encoding"]): Promise<Content> {
  const { size } = await stat(path);
  return { path, start: await findStart(path), size, isSheet, encoding };
}

/** The layout of a text's records; null for JSON Lines. What is chosen already is not guessed. */
async function layOut(
  { path, start, size, isSheet }: Content,
  { kind }: SourceFormat,
  name: string,
  choice: CsvChoice,
): Promise<GuessedLayout | null> {
  if (isSheet) return guessSheetLayout(await readFirstRows(path), choice);
  if (kind !== "csv") return null;
  const head = await readHead(path);
  return guessLayout({ bytes: head.subarray(start), isWhole: head.length >= size, name }, choice);
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

function indexTable(content: Content, { holds }: Pick<Source, "holds">, layout: GuessedLayout | null): Pass {
  if (layout !== null) return indexCsv(content, layout.csv);
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
  const content = await openContent(target, hasSheetCells(converted), format.encoding);
  if (!(await hasText(content))) throw new BuildError("refused", "This file is empty. Add one that has rows in it.");
  const layout = await layOut(content, format, name, wanted.csv ?? {});
  const table = yield* indexTable(content, format, layout);
  const doubts: SourceNotes["doubts"] = [];
  if (layout?.isDoubtful === true) doubts.push("header");
  if (format.isDoubtful === true) doubts.push("encoding");
  const notes = { ...table.notes, ...noticed.notes(), doubts };
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
    const content = await openContent(target, isWorkbook(format), format.encoding);
    const layout = await layOut(content, format, name, {});
    const table = await finish(indexTable(content, format, layout));
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
