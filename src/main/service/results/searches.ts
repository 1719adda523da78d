import { stat } from "node:fs/promises";
import { createWorkerThread, type WorkerThread } from "../io/index.ts";
import type { BatchPaths } from "./batch-paths.ts";
import type { LineColumns, LineIndex } from "./line-index.ts";
import { createScans, type Scan } from "./scans.ts";
import type { SearchClient } from "./search-worker.ts";

/** Searches the files of results, so that the thread of the app is never busy with a long one. */
export type SearchThread = WorkerThread<SearchClient>;

/** The thread starts with the first search; should it die, the next one starts another. */
export function createSearchThread(url: URL): SearchThread {
  return createWorkerThread({ url, name: "sheaf-search", closedMessage: "The service was closed." });
}

/** 1 at the place of each line that has been found so far. */
export type Hits = Uint8Array;

export interface Searches {
  /**
   * The search for a text in the files of a batch as they are now; one that is under way is joined. It goes on until it is
   * done, or everybody who asked for it has left by the signal.
   */
  open(batchId: string, index: LineIndex, paths: BatchPaths, text: string, signal: AbortSignal): Scan<Hits>;
}

/** Searches that stay in memory, a byte for each line. */
const mostSearches = 4;

export function createSearches(thread: SearchThread): Searches {
  const scans = createScans<Hits>(mostSearches);

  async function searchAll(
    { input, output, error }: BatchPaths,
    text: string,
    { index, hits, report, signal }: SearchParts,
  ): Promise<void> {
    const files = { input, output, error };
    const sizes = await Promise.all(Object.values(files).map(async (path) => (path === null ? 0 : sizeOf(path))));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    let before = 0;
    for (const [place, [file, path]] of Object.entries(files).entries()) {
      if (path === null) continue;
      const lineAt = lineFinder(index.columns, file as keyof typeof files);
      for await (const { starts, bytes } of await thread.client().search({ path, text }, { signal })) {
        for (const start of starts) {
          const at = lineAt(start) - 1;
          if (at >= 0) hits[at] = 1;
        }
        report(before + bytes, size);
      }
      before += sizes[place] ?? 0;
    }
  }

  return {
    open: (batchId, index, paths, text, signal) =>
      scans.open({
        key: [batchId, text],
        index,
        signal,
        result: () => new Uint8Array(index.total),
        read: (hits, report, ended) => searchAll(paths, text, { index, hits, report, signal: ended }),
      }),
  };
}

interface SearchParts {
  readonly index: LineIndex;
  readonly hits: Hits;
  readonly report: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

/** Finds the line of a request or an answer by where it starts in its file; 0 for one that is not known. */
export function lineFinder(columns: LineColumns, file: "input" | "output" | "error"): (start: number) => number {
  const { requestStarts, starts, states } = columns;
  if (file === "input") return (start) => floorIndex(requestStarts, start) + 1;
  // Answers stand in the order in which they came.
  return linesByStart(starts, file === "output" ? (at) => states[at] === 1 : (at) => (states[at] ?? 0) > 1);
}

/** The last place whose number is not above the wanted one; -1 when all are. */
function floorIndex(ascending: Float64Array, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/** Finds the line of an answer by where it starts; 0 for one that is not known. */
function linesByStart(starts: Float64Array, isThere: (at: number) => boolean): (start: number) => number {
  const places = Uint32Array.from(starts.keys().filter(isThere));
  const isAscending = places.every(
    (at, place) => place === 0 || (starts[places[place - 1] ?? 0] ?? 0) <= (starts[at] ?? 0),
  );
  if (!isAscending) places.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  const ordered = Float64Array.from(places, (at) => starts[at] ?? 0);
  return (start) => {
    const place = floorIndex(ordered, start);
    return ordered[place] === start ? (places[place] ?? -1) + 1 : 0;
  };
}
