import { createWorkerThread, type WorkerThread } from "#main/storage";
import { BuildError, buildErrorCodec } from "./errors.ts";
import type { BuildWorkerClient } from "./worker.ts";

/** Reads tables and renders prompts. */
export type BuildThread = WorkerThread<BuildWorkerClient>;

/** The thread starts with the first call; should it die, the next call starts another. */
export function createBuildThread(url: URL): BuildThread {
  return createWorkerThread({
    url,
    name: "sheaf-build",
    closedMessage: "Build is closed.",
    errors: buildErrorCodec,
    timeoutError: () =>
      new BuildError(
        "refused",
        "This took more than a minute and was stopped. Try it with a smaller or simpler table.",
      ),
    // A file that needs more memory than that ends the thread, and not the app.
    resourceLimits: { maxOldGenerationSizeMb: 1_500 },
    memoryError: () =>
      new BuildError(
        "refused",
        "This takes more memory than a table may. Split the file, or leave out some of its columns.",
      ),
  });
}
