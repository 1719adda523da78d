import { open } from "node:fs/promises";
import type { CsvLayout, Source } from "#contract";
import { BuildError } from "../errors.ts";
import { createKeyCollector, nameColumns, numberColumns } from "./columns.ts";
import { guessCsvLayout } from "./csv-layout.ts";
import { readCsvRecords } from "./csv-records.ts";
import { detectEncoding, markLength, rewriteAsUtf8 } from "./encoding.ts";
import { guessKind } from "./guess-kind.ts";
import { isBlank, readJsonLine } from "./json-rows.ts";
import { type Line, readLines } from "./lines.ts";
import { readWindow } from "./read-window.ts";
import { type Checkpoint, checkpointBytes, type SourceIndex } from "./stored-source.ts";

type Table = Pick<SourceIndex, "columns" | "rowCount" | "checkpoints">;

const sampleBytes = 256 * 1024;
const columnRows = 1000;

/** Notes where rows can be read from, one place at least every `checkpointBytes`. */
function createRowCounter(start: number) {
  const checkpoints: Checkpoint[] = [[0, start]];
  let rows = 0;
  let noted = start;
  return {
    /** Counts a row that ends before the byte `end`. */
    add(end: number): void {
      rows += 1;
      if (end - noted < checkpointBytes) return;
      noted = end;
      checkpoints.push([rows, end]);
    },
    result: () => ({ rowCount: rows, checkpoints }),
  };
}

async function indexCsv(path: string, start: number, { delimiter, header }: CsvLayout): Promise<Table> {
  let columns: string[] | undefined;
  let counter = createRowCounter(start);
  for await (const records of readCsvRecords(path, { delimiter, start })) {
    for (const { cells, end } of records) {
      if (columns === undefined) {
        columns = header ? nameColumns(cells) : numberColumns(cells.length);
        if (header) {
          counter = createRowCounter(end);
          continue;
        }
      }
      counter.add(end);
    }
  }
  return { columns: columns ?? [], ...counter.result() };
}

async function indexRows(path: string, start: number): Promise<Table> {
  const counter = createRowCounter(start);
  const keys = createKeyCollector();
  for await (const lines of readLines(path, { start })) {
    for (const line of lines) {
      if (isBlank(line)) continue;
      counter.add(line.end);
      if (keys.objects < columnRows) keys.add(readJsonLine(line).object ?? {});
    }
  }
  return { columns: keys.names(), ...counter.result() };
}

/**
 * Every line of a batch input file is a row, a blank one too, so that its number is the one that problems name. Only a
 * blank last line is none.
 */
async function indexRequests(path: string, start: number): Promise<Table> {
  const counter = createRowCounter(start);
  let blank: Line | null = null;
  for await (const lines of readLines(path, { start })) {
    for (const line of lines) {
      if (blank !== null) counter.add(blank.end);
      blank = isBlank(line) ? line : null;
      if (blank === null) counter.add(line.end);
    }
  }
  return { columns: ["line"], ...counter.result() };
}

async function readSample(path: string): Promise<{ start: number; text: string }> {
  const file = await open(path, "r");
  try {
    const head = await readWindow(file, 0, sampleBytes);
    const start = markLength(head);
    return { start, text: head.toString("utf8", start) };
  } finally {
    await file.close();
  }
}

async function indexTable(path: string, start: number, kind: Pick<Source, "kind" | "holds">, csv: CsvLayout | null) {
  if (csv !== null) return indexCsv(path, start, csv);
  return kind.holds === "requests" ? indexRequests(path, start) : indexRows(path, start);
}

/**
 * Reads a new source once: rewrites it as UTF-8 if it is not, guesses kind and layout, names the columns, counts the
 * rows and notes where they are. Refuses what is not a table of text or has nothing in it.
 */
export async function indexSource(path: string, name: string): Promise<SourceIndex> {
  const encoding = await detectEncoding(path);
  if (encoding !== "utf-8") await rewriteAsUtf8(path, encoding);
  const { start, text } = await readSample(path);
  if (text.trim() === "") throw new BuildError("refused", "This file is empty. Add one that has rows in it.");
  const kind = guessKind(text, name);
  const csv = kind.kind === "csv" ? guessCsvLayout(text, name) : null;
  return { ...kind, encoding, csv, ...(await indexTable(path, start, kind, csv)) };
}

/** Reads the rows of a table anew, in another layout. */
export async function reindexCsv(path: string, csv: CsvLayout): Promise<Table & { csv: CsvLayout }> {
  const { start } = await readSample(path);
  return { csv, ...(await indexCsv(path, start, csv)) };
}
