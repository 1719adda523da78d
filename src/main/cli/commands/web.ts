import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createLogger, createSystemClock } from "#service";
import { createApp } from "../../app/index.ts";
import { startWebHost, type WebHost, type WebHostOptions } from "../../web/index.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import type { WebFlags } from "../flags.ts";
import { toListenError } from "../listen.ts";
import { openBrowser } from "../open-browser.ts";
import { openSecrets } from "../open-secrets.ts";
import { openService } from "../open-service.ts";
import { print, printError } from "../output.ts";
import { findInProject, readVersion } from "../project.ts";
import { onStopSignal } from "../signals.ts";
import { chooseStorage } from "../storage.ts";

/** How long answers in flight may take to end after a signal, in milliseconds. */
const grace = 3_000;

/** `sheaf web`: the app in a browser, until a signal ends it. */
export async function web(flags: WebFlags): Promise<ExitCode> {
  // Before there is anything to leave behind: a signal during the start is heeded as soon as the start is over.
  const signalled = new Promise<void>((resolve) => onStopSignal(() => resolve()));
  const opened = new AsyncDisposableStack();
  try {
    const webHost = await openApp(flags, opened);
    await announce(webHost, flags, opened);
    await signalled;
    return exitCodes.ok;
  } finally {
    await opened.disposeAsync();
  }
}

/** Opens one part after another; each is closed in the reverse order, also when a later one cannot be opened. */
async function openApp(flags: WebFlags, opened: AsyncDisposableStack): Promise<WebHost> {
  const logger = createLogger({ level: "warn" });
  const dataDir = await findFolder(flags, opened);

  const secrets = await openSecrets(flags.secrets, chooseStorage(flags, "app"), logger);
  const service = await openService({ ...flags, tier: "standard" }, { dataDir }, { secrets });
  opened.defer(() => service.close(grace));

  const host = { kind: "browser" } as const;
  const examplesFolder = findInProject("examples");
  const app = await createApp({ service, secrets, dataDir, host, version: readVersion(), examplesFolder });
  opened.defer(() => app.close());

  const webHost = await startHost(
    { app, clock: createSystemClock(), logger, rendererFolder: findInProject("out/renderer") },
    flags.port,
  );
  opened.defer(() => webHost.close());
  return webHost;
}

async function findFolder(flags: WebFlags, opened: AsyncDisposableStack): Promise<string> {
  const storage = chooseStorage(flags, "app");
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

/** Says where the app is, and opens it; the file that this takes goes with `opened`. */
async function announce(webHost: WebHost, { json, open }: WebFlags, opened: AsyncDisposableStack): Promise<void> {
  const spent = Promise.withResolvers<void>();
  const address = webHost.freshAddress(spent.resolve);
  if (json) {
    print(JSON.stringify({ url: address, pid: process.pid }));
    return;
  }
  const removeFile = open ? await openBrowser(address, spent.promise) : null;
  if (removeFile !== null) opened.defer(removeFile);
  print(`Sheaf is at ${address}`);
  const being = removeFile === null ? "" : ", which is being opened. If it shows nothing, open the address yourself";
  printError(`The address lets in one browser${being}. Stop Sheaf with Ctrl+C.`);
  if (!process.stdin.isTTY) return;
  printError("Press Enter for a new address.");
  createInterface({ input: process.stdin }).on("line", () => print(`Sheaf is at ${webHost.freshAddress()}`));
}
