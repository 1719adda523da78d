import { stat } from "node:fs/promises";
import { createWorkerThread, type WorkerThread } from "../io/index.ts";
import type { BatchPaths } from "./batch-paths.ts";
import type { LineIndex } from "./line-index.ts";
import type { SearchClient } from "./search-worker.ts";

/** Searches the files of results, so that the thread of the app is never busy with a long one. */
export type SearchThread = WorkerThread<SearchClient>;

/** The thread starts with the first search; should it die, the next one starts another. */
export function createSearchThread(url: URL): SearchThread {
  return createWorkerThread({ url, name: "sheaf-search", closedMessage: "The service was closed." });
}

/** A text that is looked for in all lines of a batch, and what has been found so far. */
export interface Search {
  /** 1 at the place of each line that holds the text in its request or its answer. */
  readonly hits: Uint8Array;
  /** How many lines have been found. */
  readonly found: number;
  readonly bytes: number;
  readonly size: number;
  readonly isDone: boolean;
  /** Resolves with the next progress; rejects when the search failed. */
  next(): Promise<void>;
}

export interface Searches {
  /**
   * The search for a text in the files of a batch as they are now; one that is under way is joined. It goes on until it is
   * done, or everybody who asked for it has left by the signal.
   */
  open(batchId: string, index: LineIndex, paths: BatchPaths, text: string, signal: AbortSignal): Search;
}

/** Searches that stay in memory, a byte for each line. */
const mostSearches = 4;

interface OpenSearch extends Search {
  readonly version: number;
  readonly index: LineIndex;
  readonly users: Set<AbortSignal>;
  readonly abortion: AbortController;
}

export function createSearches(thread: SearchThread): Searches {
  /** The longest unused first. */
  const known = new Map<string, OpenSearch>();

  return {
    open(batchId, index, paths, text, signal) {
      const key = JSON.stringify([batchId, text]);
      let search = known.get(key);
      if (search === undefined || search.index !== index || search.version !== index.version) {
        search = startSearch(thread, index, paths, text, () => known.delete(key));
      }
      known.delete(key);
      known.set(key, search);
      for (const [other, { isDone }] of known) if (known.size > mostSearches && isDone) known.delete(other);
      join(search, signal, () => known.get(key)?.users.size === 0 && known.delete(key));
      return search;
    },
  };
}

/** A search that nobody waits for any more ends. */
function join(search: OpenSearch, signal: AbortSignal, onLeft: () => void): void {
  search.users.add(signal);
  const leave = () => {
    search.users.delete(signal);
    if (search.users.size > 0 || search.isDone) return;
    search.abortion.abort();
    onLeft();
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
}

function startSearch(
  thread: SearchThread,
  index: LineIndex,
  paths: BatchPaths,
  text: string,
  onFailure: () => void,
): OpenSearch {
  const { requestStarts, states, starts } = index.columns;
  const hits = new Uint8Array(index.total);
  const abortion = new AbortController();
  let [found, bytes, size, isDone] = [0, 0, 0, false];
  let progress = Promise.withResolvers<void>();
  progress.promise.catch(() => undefined);

  function announce(): void {
    progress.resolve();
    progress = Promise.withResolvers<void>();
    progress.promise.catch(() => undefined);
  }

  async function searchFile(path: string | null, lineAt: (start: number) => number): Promise<void> {
    if (path === null) return;
    const before = bytes;
    for await (const matches of await thread.client().search({ path, text }, { signal: abortion.signal })) {
      for (const start of matches.starts) {
        const at = lineAt(start) - 1;
        if (at < 0 || hits[at] !== 0) continue;
        hits[at] = 1;
        found += 1;
      }
      bytes = before + matches.bytes;
      announce();
    }
  }

  async function searchAll(): Promise<void> {
    const { input, output, error } = paths;
    const sizes = await Promise.all([input, output, error].map((path) => (path === null ? 0 : sizeOf(path))));
    size = sizes.reduce((sum, one) => sum + one, 0);
    await searchFile(input, (start) => floorIndex(requestStarts, start) + 1);
    // Answers stand in the order in which they came.
    await searchFile(
      output,
      linesByStart(starts, (at) => states[at] === 1),
    );
    await searchFile(
      error,
      linesByStart(starts, (at) => (states[at] ?? 0) > 1),
    );
  }

  searchAll().then(
    () => {
      isDone = true;
      announce();
    },
    (error: unknown) => {
      onFailure();
      progress.reject(error);
    },
  );
  return {
    hits,
    index,
    version: index.version,
    users: new Set(),
    abortion,
    get found() {
      return found;
    },
    get bytes() {
      return bytes;
    },
    get size() {
      return size;
    },
    get isDone() {
      return isDone;
    },
    next: () => progress.promise,
  };
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
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
