import {
  finalStatuses,
  type Preparation,
  type ResultFilter,
  type ResultHit,
  type ResultSort,
  type SearchProgress,
} from "#contract";
import type { BatchRecord, Store } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import { type Columns, isOnDisk } from "./columns.ts";
import { numberLines } from "./export-lines.ts";
import type { LineCosts } from "./line-costs.ts";
import type { LineIndex } from "./line-index.ts";
import type { Searches } from "./searches.ts";
import { createSelections, isEmptyFilter, type SelectionParts } from "./select-lines.ts";

/** Which lines are meant, and in which order. */
export interface Choice {
  readonly filter?: ResultFilter | undefined;
  readonly sort?: ResultSort | undefined;
}

/** A hit that is asked for. */
export interface WantedHit {
  readonly text: string;
  readonly filter?: ResultFilter | undefined;
  readonly sort?: ResultSort | undefined;
  /** The row, from 0, that the search goes on from; -1 for the top. */
  readonly from: number;
  readonly backwards: boolean;
}

/** Some of the chosen lines. While what they depend on is still being read there may be more; `isWhole` is false then. */
export interface ChosenPage {
  readonly total: number;
  readonly lines: number[];
  readonly isWhole: boolean;
}

/** Chooses lines of a batch: by a filter, in an order, by what a search finds. */
export interface LineChooser {
  /** The numbers of the chosen lines, in their order, once all that they depend on has been read. */
  select(batch: BatchRecord, index: LineIndex, choice: Choice): Promise<Uint32Array>;
  /** Those from `offset` on. With `patience`, in milliseconds, what has been found by then. */
  page(
    batch: BatchRecord,
    index: LineIndex,
    wanted: Choice & { readonly offset: number; readonly limit: number },
    patience?: number,
  ): Promise<ChosenPage>;
  /** Reads what a choice needs, and tells how far that is. Ends when all has been read. */
  prepare(batch: BatchRecord, index: LineIndex, choice: Choice, signal: AbortSignal): AsyncGenerator<Preparation>;
  /** How many of the lines that the filter leaves hold the text, told as the file is read. */
  search(
    batch: BatchRecord,
    index: LineIndex,
    text: string,
    filter: ResultFilter | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SearchProgress>;
  findHit(batch: BatchRecord, index: LineIndex, wanted: WantedHit, signal: AbortSignal): Promise<ResultHit | null>;
}

export interface LineChooserParts {
  readonly store: Store;
  readonly searches: Searches;
  readonly columns: Columns;
  readonly marksOf: (batch: BatchRecord) => Promise<SelectionParts["marks"]>;
  readonly costsOf: (batch: BatchRecord, index: LineIndex) => Promise<LineCosts | null>;
}

export function createLineChooser({ store, searches, columns, marksOf, costsOf }: LineChooserParts): LineChooser {
  const selections = createSelections();

  /** What a choice of lines waits for: a text that is searched, and columns that are read from disk. */
  function openScans(batch: BatchRecord, index: LineIndex, { filter = {}, sort }: Choice, signal: AbortSignal) {
    const paths = pathsOf(batch, store);
    const isRunning = !finalStatuses.has(batch.status);
    const columnBatch = { id: batch.id, index, paths, isRunning };
    const search = filter.search === undefined ? null : searches.open(batch.id, index, paths, filter.search, signal);
    const matches = new Map(
      (filter.columns ?? [])
        .filter(({ path }) => isOnDisk(path))
        .map((condition) => [condition, columns.match(columnBatch, condition, signal)]),
    );
    const order = sort !== undefined && isOnDisk(sort.by) ? columns.encode(columnBatch, sort.by, signal) : null;
    return { search, matches, order, all: [search, ...matches.values(), order].filter((scan) => scan !== null) };
  }

  /** The chosen lines, once all that they depend on has been read; with `patience`, what has been found by then. */
  async function selectPart(batch: BatchRecord, index: LineIndex, choice: Choice, patience?: number) {
    const { filter = {}, sort } = choice;
    const [marks, costs] = await Promise.all([marksOf(batch), costsOf(batch, index)]);
    const waiting = new AbortController();
    const { search, matches, order, all } = openScans(batch, index, choice, waiting.signal);
    const until = performance.now() + (patience ?? Number.POSITIVE_INFINITY);
    try {
      for (const scan of all) {
        // There is no order before all values are known.
        while (!scan.isDone && (scan === order || performance.now() < until)) await scan.next();
      }
    } finally {
      waiting.abort();
    }
    const found = new Map(Array.from(matches, ([condition, scan]) => [condition, scan.result] as const));
    const ranks = order?.result.values?.ranks ?? null;
    const selection = { index, marks, hits: search?.result ?? null, matches: found, ranks, costs, filter, sort };
    const progress = all.flatMap((scan) => [scan, scan.bytes, scan.isDone]);
    const isWhole = all.every(({ isDone }) => isDone);
    return { lines: selections.get(batch.id, selection, progress), isWhole };
  }

  const select = async (batch: BatchRecord, index: LineIndex, choice: Choice) =>
    (await selectPart(batch, index, choice)).lines;

  async function* prepare(
    batch: BatchRecord,
    index: LineIndex,
    choice: Choice,
    signal: AbortSignal,
  ): AsyncGenerator<Preparation> {
    const { all } = openScans(batch, index, choice, signal);
    for (;;) {
      const sum = (part: "bytes" | "size") => all.reduce((before, scan) => before + scan[part], 0);
      const isDone = all.every((scan) => scan.isDone);
      yield { step: "reading", bytes: sum("bytes"), size: sum("size"), isDone };
      if (isDone || signal.aborted) return;
      for (const until = performance.now() + progressPeriod; performance.now() < until; ) {
        const open = all.filter((scan) => !scan.isDone);
        if (open.length === 0) break;
        await Promise.race(open.map((scan) => scan.next()));
      }
    }
  }

  async function* search(
    batch: BatchRecord,
    index: LineIndex,
    text: string,
    filter: ResultFilter | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SearchProgress> {
    const lines = await select(batch, index, { filter });
    const found = searches.open(batch.id, index, pathsOf(batch, store), text, signal);
    for (;;) {
      const { bytes, size, isDone } = found;
      yield { hits: countHits(lines, found.result), bytes, size, isDone };
      if (isDone || signal.aborted) return;
      for (const until = performance.now() + progressPeriod; !found.isDone; ) {
        await found.next();
        if (performance.now() >= until) break;
      }
    }
  }

  return {
    select,
    async page(batch, index, { offset, limit, filter = {}, sort }, patience) {
      if (isEmptyFilter(filter) && sort === undefined) {
        const { total } = index;
        const lines = numberLines(offset + 1, Math.max(0, Math.min(limit, total - offset)));
        return { total, lines, isWhole: true };
      }
      const { lines, isWhole } = await selectPart(batch, index, { filter, sort }, patience);
      return { total: lines.length, lines: [...lines.subarray(offset, offset + limit)], isWhole };
    },
    prepare,
    search,
    async findHit(batch, index, { text, filter, sort, from, backwards }, signal) {
      const lines = await select(batch, index, { filter, sort });
      const found = searches.open(batch.id, index, pathsOf(batch, store), text, signal);
      // One that lies further on is known at once; whether there is one before the first is not until all has been read.
      while (!found.isDone && (backwards || nextHit(lines, found.result, from, false) <= from)) await found.next();
      const row = nextHit(lines, found.result, from, backwards);
      if (row === -1) return null;
      return { row, line: lines[row] ?? 0, place: countHits(lines.subarray(0, row + 1), found.result) };
    },
  };
}

/** Between two events of a search, in milliseconds. */
const progressPeriod = 100;

function countHits(lines: Uint32Array, hits: Uint8Array): number {
  let count = 0;
  for (const line of lines) count += hits[line - 1] ?? 0;
  return count;
}

/** The row of the next hit, going round at the end; -1 when there is none. */
function nextHit(lines: Uint32Array, hits: Uint8Array, from: number, backwards: boolean): number {
  const { length } = lines;
  const first = from === -1 && backwards ? length : from;
  for (let step = 1; step <= length; step++) {
    const row = (first + (backwards ? -step : step) + length) % length;
    if (hits[(lines[row] ?? 0) - 1] === 1) return row;
  }
  return -1;
}
