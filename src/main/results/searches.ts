import { stat } from "node:fs/promises";
import type { Machine } from "#main/base";
import type { StoredFolder } from "#main/storage";
import { createWorkerThread, type WorkerThread } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import { type FileKind, listKnownLines } from "./known-lines.ts";
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
      const { lineAt, ...known } = listKnownLines(part.index.columns, kind);
      for await (const { starts, bytes } of await thread.client().search({ path, known, text }, { signal })) {
        for (const start of starts) {
          const at = part.lineOf(lineAt(start)) - 1;
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
    const paths: readonly (readonly [FileKind, string | null])[] = [
      ["input", input],
      ["output", output],
      ["error", error],
    ];
    return paths.flatMap(([kind, path]) => (path === null ? [] : [{ part, kind, path }]));
  });
  return Promise.all(files.map(async (file) => ({ ...file, size: (await stat(file.path)).size })));
}
