import type { MessagePortMain } from "electron";
import { createMockEngine, createRandomIds, createService, createSystemClock, type Logger } from "#service";
import { type AppHost, createApp } from "../app/index.ts";
import { openSecrets } from "../cli/open-secrets.ts";
import type { LaunchOptions } from "./launch-options.ts";
import type { AppPaths } from "./paths.ts";
import { createSystemCipher } from "./system-cipher.ts";

export interface BackendParts {
  readonly options: LaunchOptions;
  readonly dataDir: string;
  readonly paths: AppPaths;
  readonly host: AppHost;
  readonly version: string;
  readonly logger: Logger;
}

/** The service and the app on it, as the desktop runs them. */
export interface Backend {
  /** Answers a page on the app's end of its port. */
  connect(port: MessagePortMain): void;
  /** Ends what is under way within a few seconds; what had not ended goes on at the next start. */
  close(): Promise<void>;
}

/** Opens both on their data. Rejects with a sentence for the user when the data is in use or can't be read. */
export async function openBackend(parts: BackendParts): Promise<Backend> {
  const { options, dataDir, paths, host, version, logger } = parts;
  const clock = createSystemClock();
  const ids = createRandomIds();
  const engine = createMockEngine({ pace: options.pace, seed: options.seed, clock, ids });
  const workers = { validation: paths.validationWorker, judge: paths.judgeWorker };
  const storage = options.ephemeral ? { ephemeral: true as const } : { dataDir };
  const secrets = await openSecrets(options.secrets, storage, logger, {
    atTerminal: false,
    systemCipher: createSystemCipher(),
    keychainWorker: paths.keychainWorker,
  });
  const service = await createService({ ...storage, engine, secrets, clock, ids, logger, workers });
  const app = await createApp({
    service,
    secrets,
    dataDir,
    host,
    version,
    examplesFolder: paths.examples,
    workers: { build: paths.buildWorker },
  });
  return {
    connect: (port) => app.connectPort(port),
    async close() {
      await app.close();
      await service.close();
    },
  };
}
