import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import {
  BuildError,
  cellsOf,
  detectContainer,
  detectEncoding,
  guessCsvLayout,
  guessKind,
  tryParseJsonObject,
} from "#main/build";
import { scanLines } from "#main/storage";
import type { ExpectedAnswer } from "#main/verifications";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";

/** The most problems that are reported; a wrong column has one in each line. */
const mostProblems = 20;
const sampleBytes = 256 * 1024;

const notRead = "Expected answers are read from CSV or JSONL. Save the table as one of them.";

export interface ExpectedColumns {
  readonly id: string;
  /** The column with expected values; null where any answer will do. */
  readonly column: string | null;
  /** Why an expected value can't be used; null when it can. */
  readonly findMistake: (expected: string) => string | null;
}

/** A row of a table, or why it can't be read. */
interface TableRow {
  readonly line: number;
  /** Undefined where the row has no such column. */
  readonly cells: readonly (string | undefined)[] | null;
}

/**
 * Reads two columns of a table (CSV or JSONL).
 * @throws CliError with all problems of the table, as file:line: message
 */
export async function readExpected(path: string, columns: ExpectedColumns): Promise<ExpectedAnswer[]> {
  const { id, column, findMistake } = columns;
  const problems: string[] = [];
  const expected: ExpectedAnswer[] = [];
  const firstLines = new Map<string, number>();
  const report = (line: number, message: string) => problems.push(`${path}:${line}: ${message}`);
  for await (const { line, cells } of await openRows(path, column === null ? [id] : [id, column])) {
    if (problems.length >= mostProblems) break;
    const [customId, value] = cells ?? [];
    if (cells === null) report(line, "It is no JSON object.");
    else if (customId === undefined || customId === "") report(line, `It has no '${id}'.`);
    else if (firstLines.has(customId)) report(line, `'${customId}' stands in line ${firstLines.get(customId)}, too.`);
    else if (column !== null && value === undefined) report(line, `It has no '${column}'.`);
    else {
      const mistake = value === undefined ? null : findMistake(value);
      if (mistake !== null) report(line, mistake);
      firstLines.set(customId, line);
      expected.push({ customId, expected: value ?? null });
    }
  }
  if (problems.length > 0) throw new CliError(problems.join("\n"), exitCodes.unusable);
  if (expected.length === 0) throw new CliError(`${path}: the table has no rows.`, exitCodes.unusable);
  return expected;
}

async function openRows(path: string, columns: readonly string[]): Promise<AsyncIterable<TableRow>> {
  try {
    const head = await readSample(path);
    if (detectContainer(head) !== "text") throw new BuildError("refused", notRead);
    const encoding = await detectEncoding(path);
    const sample = new TextDecoder(encoding).decode(head);
    const { kind } = guessKind(sample, path);
    if (kind === "json") throw new BuildError("refused", notRead);
    if (kind === "jsonl") return readJsonRows(path, columns);
    return readCsvRows(path, encoding, guessCsvLayout(sample, path).delimiter, columns);
  } catch (error) {
    if (error instanceof BuildError) throw new CliError(`${path}: ${error.message}`, exitCodes.unusable);
    throw describeFileError(error, path);
  }
}

async function readSample(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(sampleBytes), 0, sampleBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* readJsonRows(path: string, columns: readonly string[]): AsyncGenerator<TableRow> {
  const rows: TableRow[] = [];
  let line = 0;
  await scanLines(path, ({ bytes }) => {
    line += 1;
    const text = bytes?.toString() ?? "";
    if (text.trim() === "") return;
    const object = tryParseJsonObject(text);
    const texts = object === null ? [] : cellsOf(object, columns).cells;
    const cells = columns.map((name, at) => (object !== null && Object.hasOwn(object, name) ? texts[at] : undefined));
    rows.push({ line, cells: object === null ? null : cells });
  });
  yield* rows;
}

const recordSchema = z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) });

async function* readCsvRows(
  path: string,
  encoding: string,
  delimiter: string,
  columns: readonly string[],
): AsyncGenerator<TableRow> {
  const text = Readable.from(decode(path, encoding));
  const parser = text.pipe(
    parse({ delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }),
  );
  let positions: readonly number[] | null = null;
  let end = 0;
  try {
    for await (const item of parser) {
      const { record, info } = recordSchema.parse(item);
      const line = end + 1;
      end = info.lines;
      if (positions === null) positions = findColumns(path, record, columns);
      else yield { line, cells: positions.map((at) => record[at]) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError(`${path}:${end + 1}: ${error.message}.`, exitCodes.unusable);
  }
}

/** @throws CliError when the header has no such column */
function findColumns(path: string, header: readonly string[], columns: readonly string[]): number[] {
  const names = header.map((name) => name.trim());
  return columns.map((column) => {
    const at = names.indexOf(column);
    if (at !== -1) return at;
    const list = names.map((name) => `'${name}'`).join(", ");
    throw new CliError(`${path}:1: there is no column '${column}'. The columns are ${list}.`, exitCodes.unusable);
  });
}

async function* decode(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path)) {
    if (chunk instanceof Uint8Array) yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
