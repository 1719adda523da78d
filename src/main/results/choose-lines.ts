import type { Preparation, ResultChart, ResultFilter, ResultHit, ResultSort, SearchProgress } from "#contract";
import type { Machine } from "#main/base";
import type { ValueLists } from "#main/storage";
import { type ColumnReader, chartLines, measureInMemory, readInMemory } from "./chart-lines.ts";
import { type Columns, isOnDisk } from "./columns.ts";
import type { LineView } from "./line-views.ts";
import { resolveLists } from "./resolve-lists.ts";
import type { Scan } from "./scans.ts";
import type { Searches } from "./searches.ts";
import { createSelections, isMissingFit } from "./select-lines.ts";
import { whilePending } from "./while-pending.ts";

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
  /** The row, from 0, that the search continues from; -1 for the top. */
  readonly from: number;
  readonly backwards: boolean;
}

/** The chosen lines as far as they are known, and how far what they depend on has been read: null once all has. */
export interface ChosenLines {
  /** Null while none has been found, and while their order is not known. */
  readonly lines: Uint32Array | null;
  readonly progress: Preparation | null;
}

/** Chooses lines: by a filter, in an order, by what a search finds; and counts them by a column. */
export interface LineChooser {
  /** The numbers of the chosen lines, in their order, once all that they depend on has been read. */
  select(view: LineView, choice: Choice): Promise<Uint32Array>;
  /** The same as it is found, up to ten times a second until all has been read. */
  follow(view: LineView, choice: Choice, signal: AbortSignal): AsyncGenerator<ChosenLines>;
  /** How many of the lines that the filter leaves hold the text, reported as the file is read. */
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

export interface LineChooserDeps {
  readonly machine: Pick<Machine, "after">;
  readonly searches: Searches;
  readonly columns: Columns;
  readonly lists: Pick<ValueLists, "read">;
}

export function createLineChooser({ machine, searches, columns, lists }: LineChooserDeps): LineChooser {
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

  async function* follow(view: LineView, given: Choice, signal: AbortSignal): AsyncGenerator<ChosenLines> {
    const choice = { ...given, filter: await resolveLists(given.filter ?? {}, view.parts[0]?.batch.id ?? "", lists) };
    const { filter, sort } = choice;
    const { index, marks, costs } = view;
    const { search, matches, order, all } = openScans(view, choice, signal);
    const awaited = [
      order,
      ...Array.from(matches, ([condition, scan]) => (isMissingFit(condition) ? scan : null)),
    ].filter((scan) => scan !== null);
    const find = () => {
      const found = new Map(Array.from(matches, ([condition, scan]) => [condition, scan.result] as const));
      const ranks = order?.result.values?.ranks ?? null;
      const selection = { index, marks, hits: search?.result ?? null, matches: found, ranks, costs, filter, sort };
      return selections.get(
        view.key,
        selection,
        all.flatMap((scan) => [scan, scan.bytes, scan.isDone]),
      );
    };
    for await (const _ of whilePending(Promise.all(all.map(finish)), machine, signal)) {
      // There is no order before all values are known, nor is it known which lines have none.
      const lines = awaited.every(({ isDone }) => isDone) ? find() : null;
      const sum = (part: "bytes" | "size") => all.reduce((before, scan) => before + scan[part], 0);
      const progress = { step: "reading", bytes: sum("bytes"), size: sum("size") } as const;
      yield { lines: lines?.length === 0 ? null : lines, progress };
    }
    if (!signal.aborted) yield { lines: find(), progress: null };
  }

  async function select(view: LineView, choice: Choice): Promise<Uint32Array> {
    const waiting = new AbortController();
    try {
      for await (const { lines, progress } of follow(view, choice, waiting.signal)) {
        if (progress === null && lines !== null) return lines;
      }
    } finally {
      waiting.abort();
    }
    throw new Error("Lines were chosen without an end.");
  }

  async function* search(
    view: LineView,
    text: string,
    filter: ResultFilter | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SearchProgress> {
    const lines = await select(view, { filter });
    const found = searches.open(view, text, signal);
    const state = () => ({ hits: countHits(lines, found.result), bytes: found.bytes, size: found.size });
    for await (const _ of whilePending(finish(found), machine, signal)) yield { ...state(), isDone: false };
    if (!signal.aborted) yield { ...state(), isDone: true };
  }

  /** The values of a column by line that is not in memory, once they have been read. */
  async function readColumn(view: LineView, path: string, signal: AbortSignal): Promise<ColumnReader> {
    const scan = columns.encode(view, path, signal);
    await finish(scan);
    const { ranks, numbers, names } = scan.result.values ?? { ranks: [], numbers: [], names: [] };
    return { rank: (at) => ranks[at] ?? 0, number: (at) => numbers[at] ?? Number.NaN, names };
  }

  return {
    select,
    follow,
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
      const isEmpty = { path: column, op: "empty" } as const;
      const empty = await select(view, { filter: { ...filter, columns: [...(filter?.columns ?? []), isEmpty] } });
      return chartLines(lines, groups, measured, empty.length);
    },
  };
}

/** Waits until all has been read. */
async function finish(scan: Scan<unknown>): Promise<void> {
  while (!scan.isDone) await scan.next();
}

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
