import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { misfitSchema } from "#contract";
import { createSystemMachine } from "#main/base";
import { loadGraders } from "#main/judging";
import { followProgress, serveWorker } from "#main/storage";
import { type CheckedFiles, checkedFilesSchema, findBrokenAnswers } from "./broken-answers.ts";
import { type Column, type ColumnReading, columnSchema, readColumn } from "./column-file.ts";
import { createEncoder, createValueTest, type EncodedColumn, type ValueTest } from "./column-values.ts";
import { knownLinesSchema } from "./known-lines.ts";
import { resolvedConditionSchema } from "./resolve-lists.ts";
import { scanMatches } from "./scan-matches.ts";

const router = {
  /** Where the lines of a file start that hold a text, as it is read. */
  search: os
    .input(z.object({ path: z.string(), known: knownLinesSchema, text: z.string() }))
    .handler(({ input: { path, known, text }, signal }) => scanMatches(path, known, text, signal)),
  /** Where the lines are whose value of a column fits a condition, or does not where a missing one does, as it is read. */
  matchColumn: os
    .input(z.object({ column: columnSchema, condition: resolvedConditionSchema }))
    .handler(({ input, signal }) => matchColumn(input.column, createValueTest(input.condition), signal)),
  /** Finds the answers that break the JSON schema of their request, as files are read. The last report has whether any request has one. */
  matchBroken: os.input(checkedFilesSchema).handler(({ input, signal }) => matchBroken(input, signal)),
  /** Where each answer breaks its schema. */
  findMisfits: os
    .input(z.array(z.object({ answer: z.string(), schema: z.string() })))
    .output(z.array(z.array(misfitSchema)))
    .handler(async ({ input }) => {
      const { findMisfits } = await loadGraders();
      return input.map(({ answer, schema }) => findMisfits(answer, schema));
    }),
  /** All values of a column in the files of one batch or several, to sort and to count by; they come last. */
  encodeColumns: os.input(z.array(columnSchema)).handler(({ input, signal }) => encodeColumns(input, signal)),
};

/** What the thread that reads results can be asked. */
export type SearchClient = RouterClient<typeof router>;

/** How far files have been read. */
interface ReadProgress {
  readonly bytes: number;
  readonly size: number;
}

function matchColumn(column: Column, fits: ValueTest, signal?: AbortSignal) {
  const isMissingFit = fits(null);
  return collectPlaces((onFound, { onProgress, signal: ended }) => {
    const onValue: ColumnReading["onValue"] = (place, value) => {
      if (fits(value) !== isMissingFit) onFound(place);
    };
    return readColumn(column, { onValue, onProgress, signal: ended }, machine);
  }, signal);
}

async function* matchBroken(files: CheckedFiles, signal?: AbortSignal) {
  let hasSchemas = true;
  let last: ReadProgress = { bytes: 0, size: 0 };
  const find: Find = async (onFound, reading) => {
    hasSchemas = await findBrokenAnswers(files, onFound, reading, machine);
  };
  for await (const { places, ...progress } of collectPlaces(find, signal)) {
    last = progress;
    yield { ...progress, places, hasSchemas: true };
  }
  yield { ...last, places: new Float64Array(), hasSchemas };
}

type Find = (onFound: (place: number) => void, reading: Omit<ColumnReading, "onValue">) => Promise<void>;

/** The places that are found since the report before, with how far the reading is. */
async function* collectPlaces(find: Find, signal?: AbortSignal) {
  let found: number[] = [];
  const reading = follow(
    (onProgress, ended) => find((place) => found.push(place), { onProgress, signal: ended }),
    signal,
  );
  for await (const progress of reading) {
    const places = Float64Array.from(found);
    found = [];
    yield { ...progress, places };
  }
}

async function* encodeColumns(
  columns: readonly Column[],
  signal?: AbortSignal,
): AsyncGenerator<ReadProgress & { values: EncodedColumn | null }> {
  const encoder = createEncoder();
  let last: ReadProgress = { bytes: 0, size: 0 };
  for (const [source, column] of columns.entries()) {
    const onValue: ColumnReading["onValue"] = (place, value) => encoder.add(source, place, value);
    for await (const progress of followReading(column, onValue, signal)) {
      last = progress;
      yield { ...progress, values: null };
    }
  }
  yield { ...last, values: encoder.finish() };
}

/** Reads a column, and reports how far that is; the last report is of the whole. */
function followReading(
  column: Column,
  onValue: ColumnReading["onValue"],
  signal?: AbortSignal,
): AsyncGenerator<ReadProgress> {
  return follow((onProgress, ended) => readColumn(column, { onValue, onProgress, signal: ended }, machine), signal);
}

/** Between two reports of how far a reading is, in milliseconds. */
const progressInterval = 50;
const machine = createSystemMachine();

function follow(
  read: (report: (bytes: number, size: number) => void, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): AsyncGenerator<ReadProgress> {
  return followProgress<ReadProgress, void>((report, ended) => read((bytes, size) => report({ bytes, size }), ended), {
    machine,
    interval: progressInterval,
    signal,
  });
}

serveWorker(router);
