import { createWorkerThread, type WorkerThread } from "../io/index.ts";
import type { JudgeClient } from "./judge-worker.ts";

/** Judges responses by rules and grades answers, so that the thread of the app is never busy with a long one. */
export type JudgeThread = WorkerThread<JudgeClient>;

/** The thread starts with the first call; should it die, the next call starts another. */
export function createJudgeThread(url: URL): JudgeThread {
  return createWorkerThread({ url, name: "sheaf-judge", closedMessage: "The service was closed." });
}
