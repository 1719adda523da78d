import type { Connection } from "#contract";
import type { Logger } from "#main/base";
import { nameOf } from "#main/batches";
import type { ConnectionStore } from "#main/connections";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { type RunningBatch, toRunningBatch } from "./policy/running-batch.ts";

/** The batches that run, for the parts of the shell that show them. */
export interface RunningBatches {
  /** As they are now, the newest first. */
  list(): readonly RunningBatch[];
  /** Calls the listener with each change of a batch. Returns a function that unsubscribes. */
  subscribe(listener: (changed: BatchRecord) => void): () => void;
}

/** Follows them over the service, with what is known of their connections. */
export async function followRunningBatches(
  service: Pick<Service, "batches" | "files">,
  store: Pick<ConnectionStore, "list" | "subscribe">,
  logger: Logger,
): Promise<RunningBatches> {
  let connections = new Map<string, Connection>();
  const read = async () => {
    try {
      connections = new Map((await store.list()).map((connection) => [connection.id, connection]));
    } catch (error) {
      logger.warn("The connections can't be read.", { reason: String(error) });
    }
  };
  store.subscribe(() => void read());
  await read();
  return {
    list: () =>
      service.batches
        .list({ limit: Number.POSITIVE_INFINITY })
        .batches.flatMap(
          (batch) => toRunningBatch(batch, nameOf(batch, service), connections.get(batch.connection ?? "")) ?? [],
        ),
    subscribe: (listener) => service.batches.subscribe(listener),
  };
}
