import type { RemoteDriver, RemoteJob } from "../connections.ts";
import { createQueue } from "../io/index.ts";
import type { BatchRecord } from "../store/index.ts";
import type { Run, RunParts } from "./run-lines.ts";

/** Takes all lines that have no answer yet to a service that has batches of its own. */
export function startRemoteRun(
  { ids, batchId, index, reader, answers, onWaiting }: Omit<RunParts, "scheduler" | "engine">,
  driver: RemoteDriver,
  current: () => BatchRecord,
  update: (change: Pick<BatchRecord, "remote">) => void,
): Run {
  const inTurn = createQueue();
  const requestIdOf = (given: string | null) => given ?? ids.create("request");
  const job: RemoteJob = {
    batchId,
    name: current().metadata.name ?? batchId,
    total: index.total,
    readLine: (line) =>
      inTurn(async () => {
        if (reader.peek(line) === null) await reader.load(line);
        return reader.peek(line) ?? "";
      }),
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
    keepParts: (parts) => update({ remote: parts }),
    wait: onWaiting,
  };
  const run = driver.run(job);
  return {
    ended: run.ended.then(() => answers.drained()),
    cutShort: false,
    wake() {},
    stop: () => run.abort(),
    cancel: () => run.stop(),
    abort: () => run.abort(),
  };
}
