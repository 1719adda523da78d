import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { createSystemMachine } from "#main/base";
import { describeFileReason, followProgress, serveWorker } from "#main/storage";
import { backUpFolder } from "./back-up-folder.ts";
import { examineFolder } from "./examine-folder.ts";
import { FolderError, folderErrors } from "./folder-error.ts";
import type { DoctorProgress, Watching } from "./steps.ts";

/** Between two reports of how far it is, in milliseconds. */
const progressInterval = 200;
const machine = createSystemMachine();

/** Progress, and at the end the result. The system's errors get words: `path` is what its user knows of. */
async function* follow<Result>(
  work: (watching: Watching) => Promise<Result>,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<DoctorProgress | { readonly result: Result }> {
  const describe = (error: unknown): never => {
    const reason = describeFileReason(error);
    throw reason === null ? error : new FolderError(`${path}: ${reason}.`, { cause: error });
  };
  const result = yield* followProgress<DoctorProgress, Result>(
    (onProgress, ended) => work({ onProgress, signal: ended }).catch(describe),
    { machine, interval: progressInterval, signal },
  );
  yield { result };
}

const router = {
  examine: os
    .input(z.object({ dir: z.string() }))
    .handler(({ input: { dir }, signal }) => follow((watching) => examineFolder(dir, machine, watching), dir, signal)),
  backUp: os
    .input(z.object({ dir: z.string(), out: z.string() }))
    .handler(({ input: { dir, out }, signal }) =>
      follow((watching) => backUpFolder(dir, out, machine, watching), out, signal),
    ),
};

/** What the thread that reads whole folders can be asked. */
export type DoctorClient = RouterClient<typeof router>;

serveWorker(router, folderErrors);
