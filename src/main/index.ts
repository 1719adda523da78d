import { join } from "node:path";
import { app, session, shell } from "electron";
import { findOwnFile } from "#app-paths";
import type { PageRequest, UnsavedDraft } from "#contract";
import { createLogger, createSystemMachine } from "#main/base";
import {
  askToAdopt,
  askWhereToSave,
  createCrashReports,
  createMainWindow,
  createNotifier,
  createPageRecovery,
  createPageRequests,
  createZoom,
  endWithError,
  type LaunchOptions,
  type Openings,
  onStartedAgain,
  openBackend,
  openShellState,
  type PageRequests,
  readLaunchOptions,
  type Storage,
  setupAppearance,
  setupChildCrash,
  setupContentsGuards,
  setupIdentity,
  setupMainCrash,
  setupMenu,
  setupOpenings,
  setupPage,
  setupPower,
  setupProgress,
  setupQuit,
  setupRecentFiles,
  setupScheme,
  setupSessionGuards,
  setupStorage,
  setupTray,
  showPreparing,
} from "#main/desktop";
import type { DesktopHost } from "#main/rpc";

const machine = createSystemMachine();
const logger = createLogger({ level: "warn", machine });
const args = process.argv.slice(1);

/** What Electron wants to know before it is ready. A second instance hands over to the first, and ends. */
function prepare(): void {
  const options = readLaunchOptions(process.argv);
  const storage = setupStorage(options);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  setupIdentity();
  setupScheme();
  setupContentsGuards(logger);
  const requests = createPageRequests();
  const openings = setupOpenings({ args, ask: requests.add, logger });
  app
    .whenReady()
    .then(() => start({ options, storage, requests, openings }))
    .catch(endWithError);
}

interface Prepared {
  readonly options: LaunchOptions;
  readonly storage: Storage;
  readonly requests: PageRequests;
  readonly openings: Openings;
}

/** Opens the service and the window on it; then what the system shows of them. */
async function start({ options, storage: { dataDir, clear }, requests, openings }: Prepared): Promise<void> {
  const folder = app.getPath("userData");
  const version = app.getVersion();
  const state = await openShellState(join(folder, "shell.json"), logger);
  const reports = createCrashReports(join(folder, "crashes"), version, machine, logger);
  setupSessionGuards(session.defaultSession);
  await setupPage(session.defaultSession.protocol, findOwnFile("out/renderer"), logger);

  const zoom = createZoom(state);
  setupChildCrash({ reports, logger });
  const recover = createPageRecovery({
    reports,
    quit: () => quit.quit(),
    ending: () => quit.ending(),
    machine,
    logger,
  });
  const main = createMainWindow({
    preloadPath: findOwnFile("out/preload/index.cjs"),
    onOpen(window) {
      recover(window);
      zoom.follow(window);
      quit.guard(window);
    },
    onChange: () => menu.update(),
  });
  const preparing = showPreparing(machine, logger);
  let toFront = preparing.show;
  onStartedAgain(() => toFront());
  const show = (request?: PageRequest) => {
    if (request !== undefined) requests.add(request);
    toFront();
  };
  const appearance = setupAppearance(state, main.current);
  const menu = setupMenu({
    place: () => ({ hasPage: main.current() !== undefined, recentFiles: state.get().recentFiles }),
    perform(action) {
      if (action.do === "run_command") show({ kind: "run_command", id: action.id });
      else if (action.do === "open_recent") openings.open([action.path]);
      else if (action.do === "zoom") zoom.step(main.current(), action.step);
      else recent.clear();
    },
  });
  const recent = setupRecentFiles(openings, state, menu.update);

  let unsaved: readonly UnsavedDraft[] = [];
  const desktop: DesktopHost = {
    takeRequests: requests.take,
    setCommands: menu.setCommands,
    setTheme: appearance.setTheme,
    setUnsaved(drafts) {
      unsaved = drafts;
    },
    preferences: () => ({ keepsAwake: state.get().keepsAwake }),
    setPreferences(next) {
      state.change(next);
      updatePower();
    },
    findOpened: openings.find,
  };
  const host = {
    kind: "electron",
    saveFile: askWhereToSave,
    showInFolder: (path: string) => shell.showItemInFolder(path),
    notify: createNotifier({ window: main.current, show, machine }),
    desktop,
  } as const;
  const onReading = preparing.report;
  const ask: typeof askToAdopt = (...given) => preparing.hideDuring(() => askToAdopt(...given));
  const backend = await openBackend({ options, dataDir, host, version, logger, machine, onReading, askToAdopt: ask });
  if (backend === null) {
    app.exit();
    return;
  }
  const { connect, running, retryConnections, sync } = backend;
  const close: typeof backend.close = async (grace, cut) => {
    await backend.close(grace, cut);
    await state.written();
    await clear();
  };
  const hasTray = setupTray({ running, show, onUse: () => state.change({ isInTray: true }), machine, logger });
  setupProgress(running, main.current, machine);
  const updatePower = setupPower({ running, keepsAwake: () => state.get().keepsAwake, retryConnections });
  const isInTray = () => hasTray && state.get().isInTray;
  const quit = setupQuit({ running: running.list, unsaved: () => unsaved, sync, close, isInTray, machine, logger });
  toFront = () => (quit.isClosing() ? quit.showClosing() : main.show());
  setupMainCrash({ args, reports, close: () => close(0, AbortSignal.abort()), machine, logger });
  main.open(connect);
  preparing.close();
}

try {
  prepare();
} catch (error) {
  endWithError(error);
}
