import { MessageChannel, Worker } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { Logger } from "#service";
import type { WorkerRouterClient } from "./worker.ts";
import { deserializeError } from "./worker-errors.ts";

/** The worker thread that reads and renders tables, kept warm. */
export interface BuildWorker {
  /** Starts the thread unless it runs. Should it die, what it was asked fails, and the next question starts another. */
  client(): WorkerRouterClient;
  /** The events of a stream, with errors as they were thrown. */
  relay<T>(events: Promise<AsyncIterable<T>>): AsyncGenerator<T>;
  close(): Promise<void>;
}

interface Running {
  readonly thread: Worker;
  readonly client: WorkerRouterClient;
}

export function createBuildWorker(url: URL, logger: Logger): BuildWorker {
  let running: Running | null = null;
  let closed = false;

  function start(): Running {
    const { port1: port, port2: theirs } = new MessageChannel();
    const thread = new Worker(url, { name: "sheaf-build", workerData: { port: theirs }, transferList: [theirs] });
    const client: WorkerRouterClient = createORPCClient(
      new RPCLink({
        port,
        interceptors: [
          async ({ next }) => {
            try {
              return await next();
            } catch (error) {
              throw deserializeError(error);
            }
          },
        ],
      }),
    );
    port.start();
    const started = { thread, client };
    thread.on("error", (error) => logger.error("build worker failed", { error: error.stack ?? error.message }));
    thread.on("exit", () => {
      port.close();
      if (running === started) running = null;
    });
    return started;
  }

  return {
    client() {
      if (closed) throw new Error("Build is closed.");
      running ??= start();
      return running.client;
    },
    async *relay(events) {
      try {
        yield* await events;
      } catch (error) {
        throw deserializeError(error);
      }
    },
    async close() {
      closed = true;
      await running?.thread.terminate();
    },
  };
}
