import { setTimeout as sleep } from "node:timers/promises";
import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { columnConditionSchema } from "#contract";
import { serveWorker } from "../io/index.ts";
import { type Column, type ColumnReading, columnSchema, readColumn } from "./column-file.ts";
import { createEncoder, createValueTest, type EncodedColumn } from "./column-values.ts";
import { scanMatches } from "./scan-matches.ts";

const router = {
  /** Where the lines of a file start that hold a text, as it is read. */
  search: os
    .input(z.object({ path: z.string(), text: z.string() }))
    .handler(({ input: { path, text }, signal }) => scanMatches(path, text, signal)),
  /** Where the lines are whose value of a column fits a condition, as it is read. */
  matchColumn: os
    .input(z.object({ column: columnSchema, condition: columnConditionSchema.omit({ path: true }) }))
    .handler(({ input, signal }) => matchColumn(input.column, createValueTest(input.condition), signal)),
  /** All values of a column in the files of one batch or several, to sort and to count by; they come last. */
  encodeColumns: os.input(z.array(columnSchema)).handler(({ input, signal }) => encodeColumns(input, signal)),
};

/** What the thread that searches results can be asked. */
export type SearchClient = RouterClient<typeof router>;

/** How far a column has been read. */
interface ColumnProgress {
  readonly bytes: number;
  readonly size: number;
}

async function* matchColumn(column: Column, fits: ReturnType<typeof createValueTest>, signal?: AbortSignal) {
  let found: number[] = [];
  const collect = () => {
    const places = Float64Array.from(found);
    found = [];
    return { places };
  };
  const onValue: ColumnReading["onValue"] = (place, value) => {
    if (fits(value)) found.push(place);
  };
  for await (const progress of followReading(column, onValue, signal)) yield { ...progress, ...collect() };
}

async function* encodeColumns(
  columns: readonly Column[],
  signal?: AbortSignal,
): AsyncGenerator<ColumnProgress & { values: EncodedColumn | null }> {
  const encoder = createEncoder();
  let last: ColumnProgress = { bytes: 0, size: 0 };
  for (const [source, column] of columns.entries()) {
    const onValue: ColumnReading["onValue"] = (place, value) => encoder.add(source, place, value);
    for await (const progress of followReading(column, onValue, signal)) {
      last = progress;
      yield { ...progress, values: null };
    }
  }
  yield { ...last, values: encoder.finish() };
}

/** Between two words of how far a reading is, in milliseconds. */
const progressPeriod = 50;

/** Reads a column, and tells how far that is; the last word is of the whole. */
async function* followReading(
  column: Column,
  onValue: ColumnReading["onValue"],
  signal?: AbortSignal,
): AsyncGenerator<ColumnProgress> {
  const abandoned = new AbortController();
  let progress: ColumnProgress = { bytes: 0, size: 0 };
  let isDone = false;
  const reading = readColumn(column, {
    onValue,
    onProgress: (bytes, size) => {
      progress = { bytes, size };
    },
    signal: signal === undefined ? abandoned.signal : AbortSignal.any([signal, abandoned.signal]),
  }).then(() => {
    isDone = true;
  });
  reading.catch(() => undefined);
  try {
    while (!isDone) {
      await Promise.race([reading, sleep(progressPeriod)]);
      yield progress;
    }
  } finally {
    abandoned.abort();
  }
}

serveWorker(router);
