import { parentPort } from "node:worker_threads";
import { checkFile } from "./check-file.ts";
import type { WorkerReply } from "./worker-reply.ts";
import { workerRequestSchema } from "./worker-request.ts";

/** Between two reports of progress, in milliseconds. */
const progressInterval = 100;

/** Entry of the worker thread that checks batch input files. Several checks at a time take turns by chunk. */
if (parentPort === null) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const running = new Map<number, AbortController>();

port.on("message", (message: unknown) => {
  const request = workerRequestSchema.parse(message);
  if (request.type === "abort") {
    running.get(request.job)?.abort();
    return;
  }
  const { job, path, rules } = request;
  const controller = new AbortController();
  running.set(job, controller);
  checkFile(path, rules, { signal: controller.signal, onProgress: reportProgress(job) })
    .then(
      (check) => reply({ type: "checked", job, check }, [check.lineStarts.buffer]),
      (error: unknown) =>
        reply({ type: "failed", job, message: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => running.delete(job));
});

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function reportProgress(job: number): (bytes: number, total: number) => void {
  let last = performance.now();
  return (bytes, total) => {
    const now = performance.now();
    if (now - last < progressInterval) return;
    last = now;
    reply({ type: "progress", job, bytes, total });
  };
}
