import { isUtf8 } from "node:buffer";
import type { Replacement } from "#contract";
import { hasSheetCells } from "./convert-source.ts";
import { readCsvRecords } from "./csv-records.ts";
import { cellsOf, isBlank, readJsonLine } from "./json-lines.ts";
import { readLines } from "./lines.ts";
import { createReplace, readValue } from "./replace-value.ts";
import type { Checkpoint, Row, StoredSource } from "./stored-source.ts";
import { readSheetRecords } from "./workbooks/sheet-records.ts";

const notUtf8 = "The line is not UTF-8 text. Save the file as UTF-8.";

/** A request with its pictures. */
const longestRequest = 16_000_000;
const requestTooLong = "The line is longer than 16 MB.";

type Layout = Pick<StoredSource, "holds" | "csv" | "columns" | "checkpoints"> &
  Partial<Pick<StoredSource, "content" | "encoding" | "edits" | "replacements" | "paths">>;

/** The last checkpoint with at most `rows` rows before it. */
function findCheckpoint(checkpoints: readonly Checkpoint[], rows: number): Checkpoint {
  const next = checkpoints.findIndex(([before]) => before > rows);
  return checkpoints.at(next === -1 ? -1 : next - 1) ?? [0, 0];
}

function describeWidth(cells: number, columns: number): string {
  return `This row has ${cells} ${cells === 1 ? "cell" : "cells"}; the table has ${columns} columns.`;
}

/** A record as a row of the table. Empty cells beyond the last column, as spreadsheets write them, are no problem. */
function fitCells(cells: readonly string[], columns: number): Pick<Row, "cells" | "fault"> {
  const surplus = cells.slice(columns);
  const fits = cells.length >= columns && surplus.every((cell) => cell === "");
  if (cells.length === columns) return { cells, fault: null };
  const padded = Array.from({ length: columns }, (_, index) => cells[index] ?? "");
  return { cells: padded, fault: fits ? null : describeWidth(cells.length, columns) };
}

async function* readUnnumbered(path: string, source: Layout, start: number) {
  const { columns, csv, holds, content, encoding, paths } = source;
  if (hasSheetCells(content)) {
    for await (const records of readSheetRecords(path, start)) {
      yield records.map(({ cells, values }) => ({ ...fitCells(cells, columns.length), values }));
    }
    return;
  }
  if (csv !== null) {
    for await (const records of readCsvRecords(path, { dialect: csv, start, encoding })) {
      yield records.map(({ cells, fault }) =>
        fault === null ? fitCells(cells, columns.length) : { cells: fitCells(cells, columns.length).cells, fault },
      );
    }
    return;
  }
  const limit = holds === "requests" ? { maxLineBytes: longestRequest } : {};
  for await (const lines of readLines(path, { start, ...limit })) {
    if (holds === "requests") {
      yield lines.map(({ bytes, cut }) => {
        const fault = cut ? requestTooLong : isUtf8(bytes) ? null : notUtf8;
        return { cells: [bytes.toString("utf8")], fault };
      });
    } else {
      yield lines
        .filter((line) => !isBlank(line))
        .map((line) => {
          const { object, fault } = readJsonLine(line);
          return object === null
            ? { cells: columns.map((_, index) => (index === 0 ? line.bytes.toString("utf8") : "")), fault }
            : { ...cellsOf(object, columns, paths), fault };
        });
    }
  }
}

/**
 * Reads the rows of a source from row `from` (counted from 1) to the end, as many at a time as a window of the file
 * holds. Ends early, and closes the file, when the caller ends the iteration.
 */
export async function* readRows(path: string, source: Layout, from = 1): AsyncGenerator<readonly Row[]> {
  const [before, start] = findCheckpoint(source.checkpoints, from - 1);
  const { edits = {}, replacements = [] } = source;
  const replaces = replacements.map(createReplace);
  const replaceAll = (line: string) => replaces.reduce((text, replace) => replace(text), line);
  let number = before;
  for await (const batch of readUnnumbered(path, source, start)) {
    const rows = batch
      .map((row): Row => {
        const edited = edits[String(++number)];
        const read = edited === undefined ? { ...row, number } : { cells: [edited], fault: null, number };
        return replaces.length === 0 ? read : { ...read, cells: read.cells.map(replaceAll) };
      })
      .filter((row) => row.number >= from);
    if (rows.length > 0) yield rows;
  }
}

/** Reads at most `limit` rows from row `from` on. */
export async function readSomeRows(path: string, source: Layout, from: number, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(path, source, from)) {
    rows.push(...batch.slice(0, limit - rows.length));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** The most values of a path that are listed. */
const mostValues = 50;

/** The values at a path of all lines, the most frequent first. */
export async function countValues(path: string, source: Layout, at: string) {
  const counts = new Map<string, number>();
  for await (const rows of readRows(path, source)) {
    for (const { cells } of rows) {
      const value = readValue(cells[0] ?? "", at);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.slice(0, mostValues).map(([value, lines]) => ({ value, lines }));
}

/** How many lines each replacement changes, one after the other. */
export async function countReplaced(path: string, source: Layout, replacements: readonly Replacement[]) {
  const replaces = replacements.map((replacement) => ({
    ...replacement,
    replace: createReplace(replacement),
    lines: 0,
  }));
  for await (const rows of readRows(path, { ...source, replacements: [] })) {
    for (const { cells } of rows) {
      let line = cells[0] ?? "";
      for (const counted of replaces) {
        const replaced = counted.replace(line);
        if (replaced !== line) counted.lines += 1;
        line = replaced;
      }
    }
  }
  return replaces.map(({ lines }) => lines);
}
