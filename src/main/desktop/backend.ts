import { rm } from "node:fs/promises";
import { join } from "node:path";
import { app, type MessagePortMain, safeStorage } from "electron";
import { finalStatuses } from "#contract";
import { type AppHost, type AppParts, keepApp } from "#main/app";
import { createAdjustableClock, createRandomIds, type Logger, type Machine } from "#main/base";
import { describeFileError, findDataFolder, listJobFolders, openSecrets, repairWithJobs } from "#main/cli";
import { createConnectionStore, openConnections } from "#main/connections";
import { examineFolder } from "#main/doctor";
import { createMockEngine } from "#main/engines";
import { createModelCatalog } from "#main/requests";
import type { SystemCipher } from "#main/secrets";
import { createService } from "#main/service";
import { DataDirError, makeTemporaryFolder } from "#main/storage";
import { startUtilityProcess } from "./keychain-process.ts";
import { describeCheck } from "./policy/describe-check.ts";
import type { LaunchOptions } from "./policy/launch-options.ts";
import { followRunningBatches, type RunningBatches } from "./running-batches.ts";

export interface BackendDeps {
  readonly options: LaunchOptions;
  readonly dataDir: string;
  readonly host: AppHost;
  readonly version: string;
  readonly logger: Logger;
  readonly machine: Machine;
  /** Called while the records are read, with the bytes read so far and all bytes. */
  readonly onReading: (done: number, total: number) => void;
  /** Whether to register the files of a folder again whose journal is lost. */
  readonly askToAdopt: (dataDir: string, check: () => Promise<ReturnType<typeof describeCheck>>) => Promise<boolean>;
}

/** The service and the app on it, as the desktop runs them. */
export interface Backend {
  /** Answers a page on the app's end of its port. */
  connect(port: MessagePortMain): void;
  readonly running: RunningBatches;
  /** Lets what waits for a connection try again at once. */
  retryConnections(): void;
  /** Resolves when all that was recorded so far is on the disk itself. */
  sync(): Promise<void>;
  /**
   * Ends: what is in flight is awaited for `grace` milliseconds or until `cut` is aborted; what had not ended continues at the
   * next start.
   */
  close(grace: number, cut: AbortSignal): Promise<void>;
}

/**
 * Opens both on their data; null when the journal is lost and its user would rather leave it. Rejects with a sentence for
 * the user when the data is in use or can't be read.
 */
export async function openBackend(parts: BackendDeps): Promise<Backend | null> {
  const { options, dataDir, host, version, logger, machine, onReading, askToAdopt } = parts;
  const clock = createAdjustableClock({ machine });
  const ids = createRandomIds();
  const { pace, seed } = options;
  const storage = options.ephemeral ? { ephemeral: true as const } : { dataDir };
  const secrets = await openSecrets(options.secrets, storage, logger, {
    io: Object.assign(process, { machine }),
    atTerminal: false,
    systemCipher: createSystemCipher(),
    startProcess: startUtilityProcess,
  });

  async function open(adopt: boolean, parts: AppParts) {
    const connections = createConnectionStore(dataDir, secrets, process.env);
    const openedConnections = openConnections({ store: connections, folder: join(dataDir, "parts"), ids, machine });
    parts.defer(() => openedConnections.close());
    const service = await createService({
      ...storage,
      ...(!options.ephemeral && { adopt }),
      engine: createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog("standard") }),
      connections: openedConnections,
      archives: () => listJobFolders(dataDir),
      listsArchives: true,
      secrets,
      clock,
      machine,
      ids,
      logger,
      onReading,
    });
    return { service, connections, running: await followRunningBatches(service, connections, logger) };
  }
  const keep = (adopt: boolean) =>
    keepApp({
      open: (parts) => open(adopt, parts),
      options: { secrets, clock, mock: { pace, seed }, dataDir, version },
      dir: options.ephemeral ? null : dataDir,
      host,
      repair: (dir) => repairWithJobs(dir, { env: process.env, machine, logger }),
      machine,
      logger,
    });
  let kept: Awaited<ReturnType<typeof keep>>;
  try {
    kept = await keep(false);
  } catch (error) {
    if (!(error instanceof DataDirError)) throw describeFileError(error, dataDir);
    if (error.code !== "journal_missing") throw error;
    const check = async () => describeCheck(await examineFolder(dataDir, machine));
    if (!(await askToAdopt(dataDir, check))) return null;
    kept = await keep(true);
  }
  return {
    connect: (port) => kept.connectPort(port),
    running: {
      list: () => kept.current().running.list(),
      subscribe(listener) {
        let unsubscribe = kept.current().running.subscribe(listener);
        const stop = kept.onReopened(({ running }) => {
          unsubscribe = running.subscribe(listener);
        });
        return () => {
          stop();
          unsubscribe();
        };
      },
    },
    retryConnections() {
      const { service, connections } = kept.current();
      const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY });
      const running = batches.filter(({ status }) => !finalStatuses.has(status));
      new Set(running.flatMap(({ connection }) => connection ?? [])).forEach(connections.announce);
    },
    sync: () => kept.current().service.sync(),
    close: (grace, cut) => kept.close(grace, cut),
  };
}

/** Electron's safeStorage: a key of the system's keychain, the user's account on Windows. */
function createSystemCipher(): SystemCipher {
  return {
    isAvailable: async () => hasOwnKey() && (await safeStorage.isAsyncEncryptionAvailable()),
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

/** On Linux without a key store Electron encrypts with a password that everybody knows, and calls that `basic_text`. */
function hasOwnKey(): boolean {
  if (process.platform !== "linux") return true;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend !== "basic_text" && backend !== "unknown";
}

/** Where this run of the app keeps what it has to keep. */
export interface Storage {
  readonly dataDir: string;
  /** Removes what must not outlive the run. */
  clear(): Promise<void>;
}

/**
 * Decides on the folders before Electron uses them. Its profile, and with it the lock that keeps a second instance away,
 * goes with the data: runs on different data do not meet. Without a flag the data is that of the app in the browser, too.
 */
export function setupStorage({ ephemeral, dataDir }: LaunchOptions): Storage {
  if (ephemeral) {
    const folder = makeTemporaryFolder();
    app.setPath("userData", join(folder, "electron"));
    return { dataDir: join(folder, "data"), clear: () => rm(folder, { recursive: true, force: true }) };
  }
  if (dataDir !== undefined) app.setPath("userData", join(dataDir, "electron"));
  return { dataDir: dataDir ?? findDataFolder("app"), clear: async () => {} };
}
