import { join } from "node:path";
import type { Connection } from "#contract";
import { type Connections, createSystemClock, createUpstreamEngine, type Ids, type LineTarget } from "#service";
import { createChatEngine } from "./chat-engine.ts";
import { limitsOf, presetOf } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { openBatchAdapter } from "./open-adapter.ts";
import { createRemoteDriver } from "./remote-driver.ts";

interface ConnectionsOptions {
  readonly store: ConnectionStore;
  /** Where the files of parts lie while they are uploaded. */
  readonly folder: string;
  readonly ids: Ids;
  /** Between two looks at a running batch, and the first wait after a failure, in milliseconds. */
  readonly pollInterval?: number;
  readonly firstDelay?: number;
  /** Milliseconds without a byte after which a request has failed. */
  readonly timeout?: number;
}

/** Milliseconds that one call may take. */
const callTimeout = 10 * 60_000;
/** The batch asks again by itself, for as long as it takes. */
const callRetries = 1;
const usualPollInterval = 30_000;
const usualFirstDelay = 2_000;

/** The connections of a store, as the service asks for them: opened once, and anew when they were changed. */
export function openConnections(options: ConnectionsOptions): Connections & { close(): Promise<void> } {
  const { store } = options;
  const opened = new Map<string, Promise<Opened | null>>();
  const replaced: Promise<Opened | null>[] = [];
  const forget = store.subscribe((id) => {
    const before = opened.get(id);
    opened.delete(id);
    // Calls in flight end with the engine that they began with.
    if (before !== undefined) replaced.push(before);
  });

  async function open(id: string): Promise<Opened | null> {
    const connection = await store.find(id);
    if (connection === undefined) return null;
    return openTarget(connection, await store.keyOf(connection), options);
  }

  return {
    open(id) {
      const known = opened.get(id) ?? open(id);
      opened.set(id, known);
      known.catch(() => opened.delete(id));
      return known.then((found) => found?.target ?? null);
    },
    subscribe: (listener) => store.subscribe(listener),
    async close() {
      forget();
      const targets = await Promise.allSettled([...opened.values(), ...replaced]);
      await Promise.all(targets.map((result) => (result.status === "fulfilled" ? result.value?.close() : undefined)));
    },
  };
}

interface Opened {
  readonly target: LineTarget;
  close(): Promise<void>;
}

function openTarget(
  connection: Connection,
  key: string | null,
  { folder, ids, pollInterval = usualPollInterval, firstDelay = usualFirstDelay, timeout }: ConnectionsOptions,
): Opened {
  const adapter = openBatchAdapter(connection, key, timeout);
  if (adapter !== null) {
    const driver = createRemoteDriver({
      adapter,
      limits: limitsOf(connection),
      traits: { ...presetOf(connection), window: connection.window },
      folder: join(folder, connection.id),
      pollInterval,
      firstDelay,
    });
    async function close(): Promise<void> {
      driver.close();
      await adapter?.close();
    }
    return { target: { kind: "remote", driver }, close };
  }
  const engine = createUpstreamEngine({
    url: new URL(connection.url),
    key,
    models: new Map(Object.entries(connection.models)),
    concurrency: connection.concurrency,
    requestsPerMinute: connection.requestsPerMinute,
    tokensPerMinute: connection.tokensPerMinute,
    timeout: timeout ?? callTimeout,
    retries: callRetries,
    clock: createSystemClock(),
    ids,
  });
  return {
    target: { kind: "engine", engine: createChatEngine(engine, connection.name) },
    close: async () => await engine.close?.(),
  };
}
