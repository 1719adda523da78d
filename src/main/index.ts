import { app, session } from "electron";
import { findOwnFile } from "#own-files";
import { createLogger, createSystemMachine } from "#service";
import {
  askToAdopt,
  askWhereToSave,
  createPageRequests,
  endWithError,
  type LaunchOptions,
  notifyUser,
  openBackend,
  readLaunchOptions,
  type Storage,
  setupContentsGuards,
  setupMainWindow,
  setupMenu,
  setupOpenings,
  setupPage,
  setupQuit,
  setupScheme,
  setupSessionGuards,
  setupStorage,
} from "./desktop/index.ts";
import type { DesktopHost } from "./rpc/index.ts";

const machine = createSystemMachine();
const logger = createLogger({ level: "warn", machine });

/** What Electron wants to know before it is ready. A second instance hands over to the first, and ends. */
function prepare(): void {
  const options = readLaunchOptions(process.argv);
  const storage = setupStorage(options);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  setupScheme();
  setupContentsGuards(logger);
  const requests = createPageRequests();
  const openings = setupOpenings({ args: process.argv.slice(1), ask: requests.add, logger });
  app
    .whenReady()
    .then(() => start(options, storage, { takeRequests: requests.take, findOpened: openings.find }))
    .catch(endWithError);
}

async function start(options: LaunchOptions, { dataDir, clear }: Storage, desktop: DesktopHost): Promise<void> {
  setupMenu({ platform: process.platform, packaged: app.isPackaged });
  setupSessionGuards(session.defaultSession);
  await setupPage(session.defaultSession.protocol, findOwnFile("out/renderer"), logger);
  const host = { kind: "electron", saveFile: askWhereToSave, notify: notifyUser, desktop } as const;
  const version = app.getVersion();
  const backend = await openBackend({ options, dataDir, host, version, logger, machine, askToAdopt });
  if (backend === null) {
    app.exit();
    return;
  }
  const { connect, running, sync } = backend;
  const close: typeof backend.close = async (grace, cut) => {
    await backend.close(grace, cut);
    await clear();
  };
  const quit = setupQuit({ running: running.list, sync, close, isInTray: () => false, machine, logger });
  const preloadPath = findOwnFile("out/preload/index.cjs");
  setupMainWindow({ preloadPath, connect, onOpen: quit.guard, logger });
}

try {
  prepare();
} catch (error) {
  endWithError(error);
}
