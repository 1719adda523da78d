import type { RemoteDriver, RemoteJob } from "../connections.ts";
import type { BatchRecord } from "../store/index.ts";
import type { BatchParts } from "./parts.ts";
import { openRequestReader, type Run, type RunParts } from "./run-lines.ts";

/** Takes all lines that have no answer yet to a service that has batches of its own. */
export function startRemoteRun(
  {
    ids,
    batchId,
    index,
    answers,
    store,
    onWaiting,
  }: Omit<RunParts, "scheduler" | "engine"> & Pick<BatchParts, "store">,
  driver: RemoteDriver,
  current: () => BatchRecord,
  update: (change: Partial<Pick<BatchRecord, "remote" | "notice">>, isLasting: boolean) => void,
): Run {
  const requestIdOf = (given: string | null) => given ?? ids.create("request");
  const job: RemoteJob = {
    batchId,
    name: current().metadata.name ?? batchId,
    total: index.total,
    async *readLines(from, to) {
      // Of its own: parts are read at the same time, at different places.
      const reader = await openRequestReader(store.pathOf(current().inputFileId), index);
      try {
        for (let line = from; line <= to; line++) {
          if (reader.peek(line) === null) await reader.load(line);
          yield reader.peek(line) ?? "";
        }
      } finally {
        await reader.close();
      }
    },
    isAnswered: (line) => index.isAnswered(line),
    answer(line, customId, requestId, body) {
      answers.answer({ line, customId, requestId: requestIdOf(requestId) }, { statusCode: 200, body }, null);
    },
    fail(line, customId, requestId, statusCode, error) {
      answers.answer({ line, customId, requestId: requestIdOf(requestId) }, { statusCode, body: { error } }, null);
    },
    skip: (line, customId, error) => answers.skip({ line, customId }, error),
    drained: () => answers.drained(),
    get parts() {
      return current().remote;
    },
    keepParts: (parts) => update({ remote: parts }, true),
    showParts: (parts) => update({ remote: parts }, false),
    wait: onWaiting,
    notice: (notice) => update({ notice }, true),
  };
  const run = driver.run(job);
  return {
    ended: run.ended.then(() => answers.drained()),
    cutShort: false,
    wake() {},
    watch: () => run.watch(),
    stop: () => run.abort(),
    cancel: () => run.stop(),
    abort: () => run.abort(),
  };
}
