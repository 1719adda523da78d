import { join } from "node:path";
import { StandardRPCHandler } from "@orpc/server/standard";
import { createServerPeerHandleRequestFn } from "@orpc/server/standard-peer";
import type { ServerPeerHandleRequestFn } from "@orpc/standard-server-peer";
import { findEntry } from "#app-paths";
import { type AdjustableClock, type CleanUp, openParts, type SecretStore } from "#main/base";
import { type BuildThread, createBuild, createBuildThread } from "#main/build";
import {
  type ConnectionStore,
  createJobPlanner,
  type ModelPorts,
  openDirect,
  openPrices,
  requestRulesOf,
  usualModelPorts,
} from "#main/connections";
import { type FolderCare, type RpcContext, readConnectionNames, readCostReport, router } from "#main/rpc";
import { createServerSwitch, type MockSettings } from "#main/server";
import type { Service } from "#main/service";
import { guardSecrets } from "#main/storage";
import { createFileUploads } from "#main/uploads";
import { createSingleVerifications } from "#main/verifications";
import { announceBatches } from "./announce-batches.ts";
import { createBatchQualities } from "./batch-qualities.ts";
import { readDiagnostics, readVersions } from "./diagnostics.ts";
import { createExporter, type LinkedFile } from "./exports.ts";
import type { AppHost } from "./host.ts";
import { openKeepSettings, toKeepLimits } from "./keep-settings.ts";
import { readLicenses } from "./licenses.ts";
import { createStorage } from "./storage.ts";

export interface AppOptions {
  /** Closed by its opener, after the app. */
  readonly service: Service;
  /** The store of keys and tokens, the same as the service's. */
  readonly secrets: SecretStore;
  /** The connections that the service was opened with. */
  readonly connections: ConnectionStore;
  /** The service's clock, which the user can turn forward. */
  readonly clock: AdjustableClock;
  /** The mock settings of the service's engine. */
  readonly mock: MockSettings;
  /** Where servers of models are looked for on this computer; their usual ports by default. */
  readonly modelPorts?: ModelPorts;
  /** The folder of sources and drafts. */
  readonly dataDir: string;
  /** Checks, copies and repairs it. */
  readonly folder: FolderCare;
  readonly host: AppHost;
  readonly version: string;
  /** Reads tables for several apps; otherwise the app has a thread of its own, which ends with it. */
  readonly buildThread?: BuildThread;
}

/** All that is between a page and the service. */
export interface App {
  /** Answers one call of a page. */
  readonly answer: ServerPeerHandleRequestFn;
  /** The file behind the link of an export, once; the caller removes it when it has been sent. */
  takeExport(linkId: string): LinkedFile | null;
  close(): Promise<void>;
}

/** Retries where a connection answers in place of the mock: no user waits for a line of a batch. */
const upstreamRetries = 4;

/** Opens the app on its data. Where a part of it can't be opened, the others are closed. */
export async function createApp(options: AppOptions): Promise<App> {
  return await openParts((parts: CleanUp) => openApp(options, parts));
}

async function openApp(options: AppOptions, parts: CleanUp): Promise<Omit<App, "close">> {
  const { service, connections, dataDir, host, version } = options;
  const { clock, durability, ids, logger, machine, notices } = service;
  const secrets = guardSecrets(options.secrets, durability);
  connections.setWriteRules(durability);
  const { buildThread = createBuildThread(findEntry("build-worker")) } = options;
  if (options.buildThread === undefined) parts.defer(() => buildThread.close());
  const build = await createBuild({
    dataDir,
    writeRules: durability,
    thread: buildThread,
    service,
    clock,
    machine,
    ids,
    logger,
    notices,
    async readRequestRules(id) {
      const connection = await connections.find(id);
      return connection === undefined ? null : requestRulesOf(connection);
    },
    async openPlanner(id) {
      const connection = await connections.find(id);
      return connection === undefined ? null : createJobPlanner(connection, machine);
    },
  });
  parts.defer(() => build.close());
  service.setTables(build.batchSources);
  service.setPrices(openPrices(connections));
  const server = await createServerSwitch({
    service,
    secrets,
    dataDir,
    clock: options.clock,
    mock: options.mock,
    upstreams: {
      open: (id, model) => openDirect(connections, id, { ids, machine, retries: upstreamRetries, model }),
      subscribe: connections.subscribe,
    },
  });
  parts.defer(() => server.close());
  const { requests } = server;
  const exporter = createExporter({
    service,
    readConnectionNames: () => readConnectionNames({ connections }),
    build,
    requests,
    readCosts: (month) => readCostReport(month, { service, connections, readJudgeCosts: service.readJudgeCosts }),
    host,
    folder: join(dataDir, "exports"),
    clock,
    machine,
    logger,
  });
  parts.defer(() => exporter.close());
  await exporter.tidy();
  const uploads = createFileUploads(service, join(dataDir, "uploads"), { machine, writeRules: durability });
  parts.defer(() => uploads.close());
  await uploads.tidy();
  const keepSettings = await openKeepSettings(dataDir, { writeRules: durability, notices });
  const singleVerifications = createSingleVerifications({
    verifierFor: service.verifierFor,
    path: join(dataDir, "verifications.jsonl"),
    durability,
    clock,
    machine,
    ids,
    logger,
  });

  const { retention } = service;
  void retention.setLimits(toKeepLimits(keepSettings.read()));
  const storage = createStorage({ dataDir, service, build, tidyExports: exporter.tidy, retention, keepSettings });
  const context: RpcContext = {
    service,
    engine: service.engine,
    connections,
    modelPorts: options.modelPorts ?? usualModelPorts,
    qualities: createBatchQualities(service),
    build,
    uploads,
    server,
    singleVerifications,
    version,
    versions: readVersions(),
    readLicenses,
    readDiagnostics: () => readDiagnostics({ version, host: host.kind, service, build, connections, server, storage }),
    host: host.kind,
    desktop: host.desktop ?? null,
    folder: options.folder,
    exporter,
    storage,
    confirmDamage: service.confirmDamage,
    disk: service.disk,
    notices,
    ids,
    logger,
    machine,
  };
  // Lists have what is damaged before its rows are read.
  void service.damage.compareSome();
  const stopAnnouncing =
    host.notify === undefined ? () => {} : announceBatches(service, (notice) => host.notify?.(notice));
  parts.defer(stopAnnouncing);
  const handler = new StandardRPCHandler(router, {});
  const answer = createServerPeerHandleRequestFn(handler, { context });

  return { answer, takeExport: exporter.take };
}
