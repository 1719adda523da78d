import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { findEntry } from "#app-paths";
import { type rpcContract, type Source, sourceChunkBytes } from "#contract";
import {
  type AdjustableClock,
  createAdjustableClock,
  createMemorySecretStore,
  createRandomIds,
  createSystemMachine,
  type Engine,
  type Logger,
  type SecretStore,
} from "#main/base";
import { type ConnectionStore, createConnectionStore, openConnections } from "#main/connections";
import { createDoctorThread, type Repaired, repairFolder } from "#main/doctor";
import { createMockEngine, type Pace } from "#main/engines";
import { createModelCatalog, type FileLimits } from "#main/requests";
import { createService, type Service } from "#main/service";
import type { LogFields } from "../../base/ports.ts";
import { sharedBuildThread } from "../../build/testing/shared-thread.ts";
import { sharedThreads } from "../../service/testing/index.ts";
import type { AppHost } from "../host.ts";
import { type AppParts, type KeptApp, keepApp } from "../keep-app.ts";
import type { Doors } from "../serve-peer.ts";

export type RpcClient = ContractRouterClient<typeof rpcContract>;

/** Starts when it is first asked. */
const doctorThread = createDoctorThread(findEntry("doctor-worker"));

export const examplesFolder = fileURLToPath(new URL("../../../../examples/", import.meta.url));

export interface LogEntry {
  readonly message: string;
  readonly fields: LogFields | undefined;
}

export interface AppFixture {
  readonly dataDir: string;
  readonly service: Service;
  /** The service's. */
  readonly clock: AdjustableClock;
  /** The keys and tokens of the service and the app: in memory. */
  readonly secrets: SecretStore;
  readonly connections: ConnectionStore;
  readonly app: KeptApp;
  /** What was logged as a warning or an error. */
  readonly log: readonly LogEntry[];
  close(): Promise<void>;
}

export interface AppFixtureOptions {
  /** A folder that is there already, and stays; default: one of its own, in which the service stores nothing. */
  readonly dataDir?: string;
  readonly clock?: AdjustableClock;
  readonly secrets?: SecretStore;
  readonly host?: AppHost;
  /** The variables that keys of connections may be in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  /** Answers in place of the mock. */
  readonly engine?: Engine;
  /** Of this computer. */
  readonly fileLimits?: FileLimits;
  /** Whether the service has threads of its own, which end with it; by default it shares those of the process. */
  readonly ownThreads?: boolean;
  /** Puts something between the app and the service. */
  readonly wrap?: (service: Service) => Service;
  /** In place of the repair of a folder. */
  readonly repair?: (dir: string) => Promise<Repaired>;
}

/** The app over a real service, in a folder of its own. */
export async function openApp(options: AppFixtureOptions = {}): Promise<AppFixture> {
  const { host = { kind: "browser" }, pace = "instant", wrap = (service) => service } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "sheaf-app-")));
  const log: LogEntry[] = [];
  const keep = (message: string, fields?: LogFields) => {
    log.push({ message, fields });
  };
  const logger: Logger = { debug: () => undefined, info: () => undefined, warn: keep, error: keep };
  const { clock = createAdjustableClock(), secrets = createMemorySecretStore() } = options;
  const ids = createRandomIds();
  async function open(parts: AppParts) {
    const connections = createConnectionStore(dataDir, secrets, options.env ?? {});
    const openedConnections = openConnections({
      store: connections,
      folder: join(dataDir, "parts"),
      ids,
      machine: createSystemMachine(),
      pollInterval: 50,
      firstDelay: 50,
    });
    parts.defer(() => openedConnections.close());
    const service = await createService({
      ...(options.dataDir === undefined ? { ephemeral: true } : { dataDir }),
      engine:
        options.engine ?? createMockEngine({ pace, seed: 1, clock, ids, catalog: createModelCatalog("standard") }),
      ...(!options.ownThreads && sharedThreads()),
      ...(options.fileLimits && { fileLimits: options.fileLimits }),
      connections: openedConnections,
      secrets,
      clock,
      ids,
      logger,
    });
    return { service: wrap(service), connections };
  }
  const kept = await keepApp({
    open,
    options: {
      ...{ secrets, clock, dataDir, version: "0.0.0-test", mock: { pace, seed: 1 } },
      ...(!options.ownThreads && { buildThread: sharedBuildThread() }),
    },
    dir: options.dataDir ?? null,
    host,
    repair: options.repair ?? ((dir) => repairFolder(dir, { machine: createSystemMachine(), logger })),
    machine: createSystemMachine(),
    thread: doctorThread,
    logger,
  });
  const { service, connections } = kept.current();
  return {
    dataDir,
    service,
    clock,
    secrets,
    connections,
    app: kept,
    log,
    async close() {
      await kept.close(3_000);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

/** A page on a real MessagePort. */
export function connectPort(app: Doors): { client: RpcClient; leave(): void } {
  const { port1, port2 } = new MessageChannel();
  app.connectPort(port1);
  const client: RpcClient = createORPCClient(new RPCLink({ port: port2 }));
  port2.start();
  return { client, leave: () => port2.close() };
}

/** Uploads a file as the page does. */
export async function upload(client: RpcClient, content: Uint8Array<ArrayBuffer>, name: string): Promise<Source> {
  const { id } = await client.sources.begin({ name });
  for (let offset = 0; offset < content.length; offset += sourceChunkBytes) {
    const chunk = new Blob([content.subarray(offset, offset + sourceChunkBytes)]);
    await client.sources.append({ id, offset, chunk });
  }
  for await (const event of await client.sources.finish({ id })) {
    if (event.phase === "read") return event.source;
  }
  throw new Error("The reading ended without a source.");
}
