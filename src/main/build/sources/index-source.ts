import { createReadStream, createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CsvLayout, Source } from "#contract";
import { BuildError } from "../errors.ts";
import { createThrottle } from "../throttle.ts";
import { readCsvRecords } from "./csv-records.ts";
import { detectEncoding, guessCsvLayout, guessKind, markLength } from "./guess-format.ts";
import { isBlank, readJsonLine } from "./json-lines.ts";
import { type Line, readLines, readWindow } from "./lines.ts";
import { type Checkpoint, checkpointBytes, type IndexEvent, type Reading, type SourceIndex } from "./stored-source.ts";

type Table = Pick<SourceIndex, "columns" | "rowCount" | "checkpoints">;
/** A pass over the rows, which reports how far it is ten times a second at most. */
type Pass = AsyncGenerator<Reading, Table>;

/** A text of `size` bytes whose first row begins after `start`. */
interface Content {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

const sampleBytes = 256 * 1024;
/** The rows whose keys become columns. */
const columnRows = 1000;
/** The most columns that a file of JSON lines is given; keys beyond them are left out. */
const mostColumns = 1000;

/** Counts rows, and records where they can be read from: one position at least every `checkpointBytes`. */
function createRowCounter({ start, size }: Content) {
  const checkpoints: Checkpoint[] = [[0, start]];
  const isTime = createThrottle();
  let rows = 0;
  let bytes = start;
  let lastCheckpoint = start;
  return {
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

/** Column names from a header row: without spaces around them, the empty ones named by position, none twice. */
function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim() || `column_${index + 1}`;
    let unique = name;
    for (let copy = 2; taken.has(unique); copy++) unique = `${name}_${copy}`;
    taken.add(unique);
    return unique;
  });
}

/** Column names for a table without a header row: `column_1`, `column_2` … */
function numberColumns(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `column_${index + 1}`);
}

/** Collects the keys of objects, in the order in which they are first seen. */
function createKeyCollector() {
  const names = new Set<string>();
  let objects = 0;
  return {
    get objects(): number {
      return objects;
    },
    add(object: object): void {
      objects += 1;
      for (const key of Object.keys(object)) if (names.size < mostColumns) names.add(key);
    },
    names: () => [...names],
  };
}

async function* indexCsv(content: Content, { delimiter, header }: CsvLayout): Pass {
  let columns: string[] | undefined;
  let counter = createRowCounter(content);
  for await (const records of readCsvRecords(content.path, { delimiter, start: content.start })) {
    for (const { cells, end } of records) {
      if (columns === undefined) {
        columns = header ? nameColumns(cells) : numberColumns(cells.length);
        if (header) {
          counter = createRowCounter({ ...content, start: end });
          continue;
        }
      }
      counter.add(end);
    }
    yield* counter.progress();
  }
  return { columns: columns ?? [], ...counter.result() };
}

async function* indexRows(content: Content): Pass {
  const counter = createRowCounter(content);
  const keys = createKeyCollector();
  for await (const lines of readLines(content.path, { start: content.start })) {
    for (const line of lines) {
      if (isBlank(line)) continue;
      counter.add(line.end);
      if (keys.objects < columnRows) keys.add(readJsonLine(line).object ?? {});
    }
    yield* counter.progress();
  }
  return { columns: keys.names(), ...counter.result() };
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
  return { columns: ["line"], ...counter.result() };
}

async function* decode(path: string, encoding: Source["encoding"]): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (chunk instanceof Uint8Array) yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** Rewrites a text as UTF-8 where it is, so that everything after reads one encoding only. */
async function rewriteAsUtf8(path: string, encoding: Source["encoding"]): Promise<void> {
  const rewritten = `${path}.utf8`;
  await pipeline(Readable.from(decode(path, encoding)), createWriteStream(rewritten));
  await rename(rewritten, path);
}

async function readSample(path: string): Promise<{ content: Content; text: string }> {
  const file = await open(path, "r");
  try {
    const head = await readWindow(file, 0, sampleBytes);
    const start = markLength(head);
    const { size } = await file.stat();
    return { content: { path, start, size }, text: head.toString("utf8", start) };
  } finally {
    await file.close();
  }
}

function indexTable(content: Content, { holds }: Pick<Source, "holds">, csv: CsvLayout | null): Pass {
  if (csv !== null) return indexCsv(content, csv);
  return holds === "requests" ? indexRequests(content) : indexRows(content);
}

async function finish(pass: Pass): Promise<Table> {
  for (;;) {
    const step = await pass.next();
    if (step.done) return step.value;
  }
}

/**
 * Reads a new source once: rewrites it as UTF-8 if it is not, guesses kind and layout, names the columns, counts the
 * rows and records where they are. Reports how far it is; the last event has what it found. Refuses what is not a table of text
 * or has nothing in it.
 */
export async function* indexSource(path: string, name: string): AsyncGenerator<IndexEvent> {
  const encoding = await detectEncoding(path);
  if (encoding !== "utf-8") await rewriteAsUtf8(path, encoding);
  const { content, text } = await readSample(path);
  if (text.trim() === "") throw new BuildError("refused", "This file is empty. Add one that has rows in it.");
  const kind = guessKind(text, name);
  const csv = kind.kind === "csv" ? guessCsvLayout(text, name) : null;
  const table = yield* indexTable(content, kind, csv);
  yield { phase: "indexed", index: { ...kind, encoding, csv, ...table } };
}

/** Reads the rows of a table anew, in another layout. */
export async function reindexCsv(path: string, csv: CsvLayout): Promise<Table & { csv: CsvLayout }> {
  const { content } = await readSample(path);
  return { csv, ...(await finish(indexCsv(content, csv))) };
}
