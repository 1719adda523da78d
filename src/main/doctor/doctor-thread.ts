import { createWorkerThread } from "#main/storage";
import type { Backup } from "./back-up-folder.ts";
import type { Examined } from "./examine-folder.ts";
import { folderErrors } from "./folder-error.ts";
import type { DoctorProgress, Watching } from "./steps.ts";
import type { DoctorClient } from "./worker.ts";

/** Reads whole data folders beside the service, which goes on meanwhile. Rejects with a FolderError for what its user can act on. */
export interface DoctorThread {
  /** As `examineFolder`. */
  examine(dir: string, watching: Watching): Promise<Examined>;
  /** As `backUpFolder`. */
  backUp(dir: string, out: string, watching: Watching): Promise<Backup>;
  close(): Promise<void>;
}

/** A record of many lines is read in one step. */
const longestStep = 10 * 60_000;

export function createDoctorThread(url: URL): DoctorThread {
  const thread = createWorkerThread<DoctorClient>({
    url,
    name: "sheaf-doctor",
    closedMessage: "Sheaf was closed.",
    errors: folderErrors,
    longestStepMs: () => longestStep,
  });
  return {
    async examine(dir, { onProgress, signal }) {
      return await takeResult(await thread.client().examine({ dir }, { ...(signal && { signal }) }), onProgress);
    },
    async backUp(dir, out, { onProgress, signal }) {
      return await takeResult(await thread.client().backUp({ dir, out }, { ...(signal && { signal }) }), onProgress);
    },
    close: thread.close,
  };
}

async function takeResult<Result>(
  events: AsyncIterable<DoctorProgress | { readonly result: Result }>,
  onProgress: Watching["onProgress"],
): Promise<Result> {
  for await (const event of events) {
    if ("result" in event) return event.result;
    onProgress?.(event);
  }
  throw new Error("The thread ended without a result.");
}
