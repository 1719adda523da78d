import type { Preparation, ResultChart, ResultFilter, ResultHit, ResultSort, SearchProgress } from "#contract";
import { type ColumnReader, chartLines, measureInMemory, readInMemory } from "./chart-lines.ts";
import { type Columns, isOnDisk } from "./columns.ts";
import type { LineView } from "./line-views.ts";
import type { Searches } from "./searches.ts";
import { createSelections } from "./select-lines.ts";

/** Which lines are meant, and in which order. */
export interface Choice {
  readonly filter?: ResultFilter | undefined;
  readonly sort?: ResultSort | undefined;
  /** Columns whose values are asked for, too. */
  readonly columns?: readonly string[] | undefined;
}

/** Lines that are counted by a column, and measured by another one. */
export interface WantedChart {
  readonly filter?: ResultFilter | undefined;
  readonly column: string;
  readonly measure?: string | undefined;
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

/** Chooses lines: by a filter, in an order, by what a search finds; and counts them by a column. */
export interface LineChooser {
  /** The numbers of the chosen lines, in their order, once all that they depend on has been read. */
  select(view: LineView, choice: Choice): Promise<Uint32Array>;
  /** Those from `offset` on. With `patience`, in milliseconds, what has been found by then. */
  page(
    view: LineView,
    wanted: Choice & { readonly offset: number; readonly limit: number },
    patience?: number,
  ): Promise<ChosenPage>;
  /** Reads what a choice needs, and tells how far that is. Ends when all has been read. */
  prepare(view: LineView, choice: Choice, signal: AbortSignal): AsyncGenerator<Preparation>;
  /** How many of the lines that the filter leaves hold the text, told as the file is read. */
  search(
    view: LineView,
    text: string,
    filter: ResultFilter | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SearchProgress>;
  findHit(view: LineView, wanted: WantedHit, signal: AbortSignal): Promise<ResultHit | null>;
  /** The lines that the filter leaves by the values of a column, once all has been read. */
  chart(view: LineView, wanted: WantedChart, signal: AbortSignal): Promise<ResultChart>;
}

export interface LineChooserParts {
  readonly searches: Searches;
  readonly columns: Columns;
}

export function createLineChooser({ searches, columns }: LineChooserParts): LineChooser {
  const selections = createSelections();

  /** What a choice of lines waits for: a text that is searched, and columns that are read from disk. */
  function openScans(view: LineView, { filter = {}, sort, columns: counted = [] }: Choice, signal: AbortSignal) {
    const search = filter.search === undefined ? null : searches.open(view, filter.search, signal);
    const matches = new Map(
      (filter.columns ?? [])
        .filter(({ path }) => isOnDisk(path))
        .map((condition) => [condition, columns.match(view, condition, signal)]),
    );
    const order = sort !== undefined && isOnDisk(sort.by) ? columns.encode(view, sort.by, signal) : null;
    const values = counted.filter(isOnDisk).map((path) => columns.encode(view, path, signal));
    const all = [search, ...matches.values(), order, ...values].filter((scan) => scan !== null);
    return { search, matches, order, all };
  }

  /** The chosen lines, once all that they depend on has been read; with `patience`, what has been found by then. */
  async function selectPart(view: LineView, { filter = {}, sort }: Choice, patience?: number) {
    const { index, marks, costs } = view;
    const waiting = new AbortController();
    const { search, matches, order, all } = openScans(view, { filter, sort }, waiting.signal);
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
    return { lines: selections.get(view.key, selection, progress), isWhole };
  }

  const select = async (view: LineView, choice: Choice) => (await selectPart(view, choice)).lines;

  async function* prepare(view: LineView, choice: Choice, signal: AbortSignal): AsyncGenerator<Preparation> {
    const { all } = openScans(view, choice, signal);
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
    view: LineView,
    text: string,
    filter: ResultFilter | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SearchProgress> {
    const lines = await select(view, { filter });
    const found = searches.open(view, text, signal);
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

  /** The values of a column by line that is not in memory, once they have been read. */
  async function readColumn(view: LineView, path: string, signal: AbortSignal): Promise<ColumnReader> {
    const scan = columns.encode(view, path, signal);
    while (!scan.isDone) await scan.next();
    const { ranks, numbers, names } = scan.result.values ?? { ranks: [], numbers: [], names: [] };
    return { rank: (at) => ranks[at] ?? 0, number: (at) => numbers[at] ?? Number.NaN, names };
  }

  return {
    select,
    async page(view, { offset, limit, filter = {}, sort }, patience) {
      const { lines, isWhole } = await selectPart(view, { filter, sort }, patience);
      return { total: lines.length, lines: [...lines.subarray(offset, offset + limit)], isWhole };
    },
    prepare,
    search,
    async findHit(view, { text, filter, sort, from, backwards }, signal) {
      const lines = await select(view, { filter, sort });
      const found = searches.open(view, text, signal);
      // One that lies further on is known at once; whether there is one before the first is not until all has been read.
      while (!found.isDone && (backwards || nextHit(lines, found.result, from, false) <= from)) await found.next();
      const row = nextHit(lines, found.result, from, backwards);
      if (row === -1) return null;
      return { row, line: lines[row] ?? 0, place: countHits(lines.subarray(0, row + 1), found.result) };
    },
    async chart(view, { filter, column, measure }, signal) {
      const [lines, groups, measured] = await Promise.all([
        select(view, { filter }),
        isOnDisk(column) ? readColumn(view, column, signal) : readInMemory(view, column),
        measure === undefined
          ? null
          : isOnDisk(measure)
            ? readColumn(view, measure, signal)
            : measureInMemory(view, measure),
      ]);
      return chartLines(lines, groups, measured);
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
