import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findOwnFile, readVersion } from "#app-paths";
import { type AppParts, keepApp } from "#main/app";
import { type CleanUp, createAdjustableClock, createCleanUp, createRandomIds, createSystemClock } from "#main/base";
import { createConnectionStore, openConnections } from "#main/connections";
import { startWebHost, type WebHost, type WebHostOptions } from "#main/web";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, onStopSignal, print, printError } from "../command-process.ts";
import { chooseStorage } from "../data-folder.ts";
import { engineDefaults } from "../engine-flags.ts";
import { listJobFolders } from "../jobs/job-folder.ts";
import { repairWithJobs } from "../jobs/repair-with-jobs.ts";
import { toListenError } from "../listen.ts";
import { openBrowser } from "../open-browser.ts";
import { openSecrets } from "../open-secrets.ts";
import { createCommandLogger, openService } from "../open-service.ts";
import type { WebFlags } from "../server-flags.ts";

/** How long answers in flight may take to end after a signal, in milliseconds. */
const grace = 3_000;

/** `sheaf web`: the app in a browser, until a signal ends it. */
export async function web(flags: WebFlags, io: CommandProcess): Promise<ExitCode> {
  // Listens before anything is opened: a signal during the start takes effect when the start is over.
  const signalled = new Promise<void>((resolve) => onStopSignal(() => resolve(), io));
  const opened = createCleanUp();
  try {
    const webHost = await openApp(flags, opened, io);
    await announce({ webHost, opened, io }, flags);
    await signalled;
    return exitCodes.ok;
  } finally {
    await opened.run();
  }
}

/** Opens one part after another; each is closed in the reverse order, also when a later one cannot be opened. */
async function openApp(flags: WebFlags, opened: CleanUp, io: CommandProcess): Promise<WebHost> {
  const logger = createCommandLogger(io);
  const dataDir = await findFolder(flags, opened, io);

  const storage = chooseStorage(flags, "app", io.env);
  const secrets = await openSecrets(flags.secrets, storage, logger, { io });
  const clock = createAdjustableClock({ machine: io.machine });

  async function open(parts: AppParts) {
    const connections = createConnectionStore(dataDir, secrets, io.env);
    const openedConnections = openConnections({
      store: connections,
      folder: join(dataDir, "parts"),
      ids: createRandomIds(),
      machine: io.machine,
    });
    parts.defer(() => openedConnections.close());
    const service = await openService(
      { ...engineDefaults, ...flags },
      { dataDir, adopt: flags.adopt, durability: flags.durability },
      io,
      {
        secrets,
        clock,
        connections: openedConnections,
        archives: () => listJobFolders(dataDir),
        listsArchives: true,
      },
    );
    return { service, connections };
  }

  const app = await keepApp({
    open,
    options: {
      secrets,
      clock,
      mock: { pace: flags.pace, seed: flags.seed },
      ...(flags.modelPorts && { modelPorts: flags.modelPorts }),
      dataDir,
      version: readVersion(),
    },
    dir: "dataDir" in storage ? dataDir : null,
    host: { kind: "browser" },
    grace,
    repair: (dir) => repairWithJobs(dir, { env: io.env, machine: io.machine, logger }),
    machine: io.machine,
    logger,
  });
  opened.defer(() => app.close(grace));

  const webHost = await startHost(
    { app, clock: createSystemClock(io.machine), logger, rendererFolder: findOwnFile("out/renderer") },
    flags.port,
  );
  opened.defer(() => webHost.close());
  return webHost;
}

async function findFolder(flags: WebFlags, opened: CleanUp, io: CommandProcess): Promise<string> {
  const storage = chooseStorage(flags, "app", io.env);
  if ("dataDir" in storage) return storage.dataDir;
  const folder = await mkdtemp(join(tmpdir(), "sheaf-web-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startHost(options: WebHostOptions, port: number | undefined): Promise<WebHost> {
  if (port === undefined) return await startWebHost(options);
  return await startWebHost({ ...options, port }).catch((error: unknown) => {
    throw toListenError(error, { host: "127.0.0.1", port });
  });
}

interface WebDeps {
  readonly webHost: WebHost;
  readonly opened: CleanUp;
  readonly io: CommandProcess;
}

/** Prints the app's address, and opens it; `opened` removes the temporary file of that, and stops reading the terminal. */
async function announce({ webHost, opened, io }: WebDeps, { json, open }: WebFlags): Promise<void> {
  const spent = Promise.withResolvers<void>();
  const address = webHost.freshAddress(spent.resolve);
  if (json) {
    print(JSON.stringify({ url: address, pid: process.pid }), io);
    return;
  }
  const removeFile = open ? await openBrowser(address, spent.promise, io) : null;
  if (removeFile !== null) opened.defer(removeFile);
  print(`Sheaf is at ${address}`, io);
  const being = removeFile === null ? "" : ", which is being opened. If it shows nothing, open the address yourself";
  printError(`The address lets in one browser${being}. Stop Sheaf with Ctrl+C.`, io);
  if (!io.stdin.isTTY) return;
  printError("Press Enter for a new address.", io);
  const lines = createInterface({ input: io.stdin });
  // A terminal that is read keeps the process alive.
  opened.defer(() => lines.close());
  lines.on("line", () => print(`Sheaf is at ${webHost.freshAddress()}`, io));
}
