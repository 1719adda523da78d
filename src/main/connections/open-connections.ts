import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Connection } from "#contract";
import { type Connections, createQueue, type Ids, type LineTarget, type Machine } from "#main/base";
import { openBatchAdapter } from "./adapters/open-adapter.ts";
import { openDirectEngine } from "./calls/direct-engine.ts";
import { markServerFailures } from "./calls/server-failures.ts";
import { findVersionedUrl, limitsOf, missingKeyOf, presetOf } from "./connection-settings.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { type CreateGate, createGates } from "./driver/create-gate.ts";
import { createRemoteDriver } from "./driver/remote-driver.ts";
import { findUnlisted } from "./find-unlisted.ts";
import { findPrices } from "./pricing/model-price.ts";
import { identifyRequests } from "./request-key.ts";

interface ConnectionsOptions {
  readonly store: ConnectionStore;
  /** The folder of the parts' files while they are uploaded. */
  readonly folder: string;
  readonly ids: Ids;
  readonly machine: Machine;
  /** Between two polls of a running batch, and the first wait after a failure, in milliseconds. */
  readonly pollInterval?: number;
  readonly firstDelay?: number;
  /** How long to look for the batch of a create without an answer, in milliseconds. */
  readonly lookingTime?: number;
  /** Milliseconds without a byte after which a request has failed. */
  readonly timeout?: number;
}

/** Milliseconds that one call may take. */
const callTimeout = 10 * 60_000;
/** Of a call without a line. Lines are sent again by their batch, which counts how often. */
const callRetries = 1;
const usualPollInterval = 30_000;
const usualFirstDelay = 2_000;

/** The connections of a store, as the service asks for them: opened once, and anew when they were changed. */
export function openConnections(options: ConnectionsOptions): Connections & { close(): Promise<void> } {
  const { store, machine } = options;
  const inTurn = createQueue();
  const opened = new Map<string, Opened>();
  const replaced: Opened[] = [];
  const gateOf = createGates();
  const unsubscribe = store.subscribe(drop);

  function drop(id: string): void {
    const before = opened.get(id);
    opened.delete(id);
    // Calls in flight end with the engine that they were started with.
    if (before !== undefined) replaced.push(before);
  }

  /** The connection as it is now: a command may have changed it since it was opened. */
  async function open(id: string): Promise<Opened | null> {
    const connection = await store.find(id);
    if (connection === undefined) {
      drop(id);
      return null;
    }
    const key = await store.keyOf(connection);
    const { learned: _, ...settings } = connection;
    const known = opened.get(id);
    if (known !== undefined && isDeepStrictEqual(known.about, { settings, key })) return known;
    drop(id);
    const next = {
      ...openTargets(connection, key, { ...options, gate: gateOf(connection.url) }),
      about: { settings, key },
    };
    opened.set(id, next);
    return next;
  }

  return {
    open: (id, direct) =>
      inTurn(async () => {
        const found = await open(id);
        return found === null ? null : direct ? found.direct : found.usual;
      }),
    async identify(id, endpoint) {
      const connection = await store.find(id);
      return connection === undefined ? null : identifyRequests(connection, endpoint);
    },
    async findMissingModels(id, models, signal) {
      const connection = await store.find(id);
      if (connection === undefined || !presetOf(connection).listsAllModels) return [];
      return await findUnlisted(connection, models, { key: await store.keyOf(connection), machine }, signal);
    },
    async describe(id, models) {
      const connection = await store.find(id);
      return connection === undefined ? null : { name: connection.name, prices: await findPrices(connection, models) };
    },
    subscribe: (listener) => store.subscribe(listener),
    async close() {
      unsubscribe();
      await Promise.all([...opened.values(), ...replaced].map((targets) => targets.close()));
    },
  };
}

interface Opened extends Targets {
  /** What it was opened with. */
  readonly about: { readonly settings: Omit<Connection, "learned">; readonly key: string | null };
}

interface Targets {
  readonly usual: LineTarget;
  readonly direct: LineTarget;
  close(): Promise<void>;
}

function openTargets(
  connection: Connection,
  key: string | null,
  {
    store,
    folder,
    ids,
    machine,
    pollInterval = usualPollInterval,
    firstDelay = usualFirstDelay,
    lookingTime,
    timeout,
    gate,
  }: ConnectionsOptions & { readonly gate: CreateGate },
): Targets {
  const calls = { timeout: timeout ?? callTimeout, retries: callRetries, lineRetries: 0, ids, machine };
  const engine = openDirectEngine(connection, key, calls);
  const direct: LineTarget = {
    kind: "engine",
    engine: markServerFailures(engine, {
      name: connection.name,
      missingKey: missingKeyOf(connection, key),
      versionedUrl: findVersionedUrl(connection),
    }),
  };
  const adapter = openBatchAdapter(connection, { key, machine, timeout });
  if (adapter !== null) {
    let learning = Promise.resolve();
    const driver = createRemoteDriver({
      adapter,
      machine,
      limits: limitsOf(connection),
      traits: { ...presetOf(connection), window: connection.window, learned: connection.learned },
      learn: (seen) => {
        learning = store.learn(connection.id, seen).catch(() => {});
      },
      gate,
      folder: join(folder, connection.id),
      pollInterval,
      firstDelay,
      lookingTime,
    });
    async function close(): Promise<void> {
      driver.close();
      await Promise.all([adapter?.close(), engine.close?.(), learning]);
    }
    return { usual: { kind: "remote", driver }, direct, close };
  }
  return { usual: direct, direct, close: async () => await engine.close?.() };
}
