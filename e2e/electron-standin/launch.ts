import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserWindowStandIn } from "./browser-window.ts";
import { createElectronStandIn, type ElectronStandIn, type KeyStore } from "./electron.ts";

/** The folder of the built app: the project's own, or another that has an app taken out of its package. */
export const builtApp = process.env.SHEAF_BUILT_APP ?? join(import.meta.dirname, "../..");

export interface Launched {
  readonly electron: ElectronStandIn;
  /** The window that the app opened. */
  readonly window: BrowserWindowStandIn;
  /** Where the app's folders are, and a test's own files; removed at the end. */
  readonly folder: string;
  /** Quits the app as its user does, waits for its end, and removes the folder. The answer is the exit code. */
  quit(): Promise<number | null>;
}

interface LaunchOptions {
  /** Whether it is the only instance that runs; it is by default. */
  readonly first?: boolean;
  /** Whether it is an installed app; it is not by default. */
  readonly packaged?: boolean;
  /** Where Electron reports that the system keeps keys. */
  readonly keyStore?: KeyStore;
  /** What the user's desktop lacks; it has everything by default. */
  readonly lacks?: "tray" | "notifications";
  /** Called when its entry has been evaluated, before it is ready. */
  readonly beforeReady?: (electron: ElectronStandIn, folder: string) => Promise<void>;
  /** Which button its user presses in a question; the first by default. */
  readonly button?: number;
}

/**
 * Starts the built app under plain Node, as `electron . …args` starts it under Electron, and waits until its window is
 * shown. Rejects with the exit code and the app's output when it ends instead.
 */
export async function launch(args: readonly string[], options: LaunchOptions = {}): Promise<Launched> {
  const { first = true, packaged = false, lacks, keyStore, button = 0, beforeReady = async () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), "sheaf-electron-"));
  const desktop = { hasTray: lacks !== "tray", hasNotifications: lacks !== "notifications" };
  const electron = createElectronStandIn({ folder, version: "0.1.0", first, packaged }, desktop, keyStore);
  electron.dialog.button = button;
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const [window] = await Promise.all([
      waitForWindow(electron),
      start(electron, args, () => beforeReady(electron, folder)),
    ]);
    return { electron, window, folder, quit: () => quit(electron).finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function start(
  electron: ElectronStandIn,
  args: readonly string[],
  beforeReady: () => Promise<void>,
): Promise<void> {
  const argv = process.argv;
  process.argv = [process.execPath, builtApp, ...args];
  try {
    await loadMain(join(builtApp, "out/main/index.js"), electron);
  } finally {
    process.argv = argv;
  }
  await beforeReady();
  electron.app.becomeReady();
}

async function waitForWindow({ app, dialog }: ElectronStandIn): Promise<BrowserWindowStandIn> {
  const { promise, resolve, reject } = Promise.withResolvers<BrowserWindowStandIn>();
  app.once("quit", () => reject(new Error(`The app ended with ${app.exitCode}. ${dialog.errors.join("; ")}`)));
  app.on("web-contents-created", () => {
    // A start that takes long shows a small window before it.
    const window = app.windows.at(-1);
    if (window?.options.name === "main") window.once("show", () => resolve(window));
  });
  return promise;
}

async function quit({ app }: ElectronStandIn): Promise<number | null> {
  const ended = once(app, "quit");
  app.quit();
  await ended;
  return app.exitCode;
}

/** Where the synthetic module behind `electron` finds the stand-in. */
const slot = Symbol.for("electron-standin");
let loads = 0;

/** Of a packaged app: its binary can't be run as Node, and `fork` does not say so, it starts the app a second time. */
const withoutFork = `
import real from "child_process";
export * from "child_process";
export function fork() { throw new Error("The RunAsNode fuse is off: use utilityProcess.fork()."); }
export default { ...real, fork };
`;

/**
 * Evaluates a main bundle as Electron does, with `import … from "electron"` answered by the stand-in. Importing a name
 * that the stand-in lacks fails at once.
 */
async function loadMain(path: string, electron: ElectronStandIn): Promise<void> {
  loads += 1;
  Reflect.set(globalThis, slot, electron);
  const names = Object.keys(electron).join(", ");
  const modules = new Map([
    ["electron", `export const { ${names} } = globalThis[Symbol.for(${JSON.stringify(slot.description)})];`],
    ...(electron.app.isPackaged ? [["node:child_process", withoutFork] as const] : []),
  ]);
  const prefix = `electron-standin-${loads}:`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      modules.has(specifier)
        ? { url: `${prefix}${specifier}`, format: "module", shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) => {
      const source = url.startsWith(prefix) ? modules.get(url.slice(prefix.length)) : undefined;
      return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
    },
  });
  try {
    // The query makes it another module each time, as it is in each process.
    await import(`${pathToFileURL(path).href}?load=${loads}`);
  } finally {
    hooks.deregister();
  }
}
