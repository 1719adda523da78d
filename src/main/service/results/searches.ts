import { stat } from "node:fs/promises";
import { createWorkerThread, type WorkerThread } from "../io/index.ts";
import type { AnswerFile } from "../ledger/index.ts";
import type { Machine } from "../ports.ts";
import type { StoredFolder } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import { isInOutput, type LineColumns } from "./line-index.ts";
import type { LineView } from "./line-views.ts";
import { createScans, type Scan } from "./scans.ts";
import type { SearchClient } from "./search-worker.ts";

/** Reads the files of results, so that the thread of the app is never busy with a long one. */
export type SearchThread = WorkerThread<SearchClient>;

/** The thread starts with the first search; should it die, the next one starts another. */
export function createSearchThread(url: URL): SearchThread {
  return createWorkerThread({ url, name: "sheaf-search", closedMessage: "The service was closed." });
}

/** 1 at the place of each line that has been found so far. */
export type Hits = Uint8Array;

export interface Searches {
  /**
   * The search for a text in the files of lines as they are now; one that is under way is joined. It continues until it is
   * done, or everybody who asked for it has left by the signal.
   */
  open(view: LineView, text: string, signal: AbortSignal): Scan<Hits>;
}

/** Searches that stay in memory, a byte for each line. */
const mostSearches = 4;

export function createSearches(thread: SearchThread, store: StoredFolder, machine: Machine): Searches {
  const scans = createScans<Hits>(mostSearches, machine);

  async function searchAll(
    view: LineView,
    text: string,
    { hits, report, signal }: { hits: Hits; report: (bytes: number, size: number) => void; signal: AbortSignal },
  ): Promise<void> {
    const files = await listFiles(view, store);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    let before = 0;
    for (const { path, part, kind, ...file } of files) {
      const ownLineAt = lineFinder(part.index.columns, kind);
      for await (const { starts, bytes } of await thread.client().search({ path, text }, { signal })) {
        for (const start of starts) {
          const at = part.lineOf(ownLineAt(start)) - 1;
          if (at >= 0) hits[at] = 1;
        }
        report(before + bytes, size);
      }
      before += file.size;
    }
  }

  return {
    open: (view, text, signal) =>
      scans.open({
        key: [view.key, text],
        index: view.index,
        signal,
        result: () => new Uint8Array(view.index.total),
        read: (hits, report, ended) => searchAll(view, text, { hits, report, signal: ended }),
      }),
  };
}

/** The files that hold lines, with their sizes. */
async function listFiles({ parts }: LineView, store: StoredFolder) {
  const files = parts.flatMap((part) => {
    const { input, output, error } = pathsOf(part.batch, store);
    const paths: readonly (readonly [AnswerFile | "input", string | null])[] = [
      ["input", input],
      ["output", output],
      ["error", error],
    ];
    return paths.flatMap(([kind, path]) => (path === null ? [] : [{ part, kind, path }]));
  });
  return Promise.all(files.map(async (file) => ({ ...file, size: (await stat(file.path)).size })));
}

/** Finds the line of a request or an answer by where it starts in its file; 0 for one that is not known. */
export function lineFinder(columns: LineColumns, file: AnswerFile | "input"): (start: number) => number {
  const { requestStarts, starts, states } = columns;
  if (file === "input") return (start) => floorIndex(requestStarts, start) + 1;
  // Answers stand in the order in which they came.
  return linesByStart(starts, (at) => {
    const state = states[at] ?? 0;
    return state !== 0 && isInOutput(state) === (file === "output");
  });
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
