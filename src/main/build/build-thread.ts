import { createWorkerThread, type WorkerThread } from "#main/storage";
import { BuildError, buildErrorCodec } from "./errors.ts";
import type { BuildWorkerClient } from "./worker.ts";

/** A template of one row, and a workbook that is read in one step, by their processor time in milliseconds. */
const longestRowMs = 10_000;
const longestReadMs = 60_000;
const readers: ReadonlySet<string> = new Set<keyof BuildWorkerClient>(["index", "head"]);

/** Reads tables and renders prompts. */
export type BuildThread = WorkerThread<BuildWorkerClient>;

/** The thread starts with the first call; should it die, the next call starts another. */
export function createBuildThread(url: URL): BuildThread {
  return createWorkerThread({
    url,
    name: "sheaf-build",
    closedMessage: "Build is closed.",
    errors: buildErrorCodec,
    longestStepMs: (procedure) => (readers.has(procedure) ? longestReadMs : longestRowMs),
    stuckError: () =>
      new BuildError("refused", "This takes too long and was stopped. Use a simpler template, or a smaller table."),
    // A file that needs more memory than that ends the thread, and not the app.
    resourceLimits: { maxOldGenerationSizeMb: 1_500 },
    memoryError: () =>
      new BuildError("refused", "This table needs too much memory. Split the file, or leave out some of its columns."),
  });
}
