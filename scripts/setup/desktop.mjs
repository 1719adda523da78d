import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { run } from "./child.mjs";
import { runScript } from "./node.mjs";
import { inProject } from "./paths.mjs";
import { formatDuration, printLine } from "./print.mjs";

const downloadLimit = 180_000;
const downloadNote = inProject("node_modules/.sheaf/electron-download.json");
const retryAfter = 24 * 3_600_000;
/** An Electron that ends in this time, in one of these ways, never got as far as a window. */
const startLimit = 10_000;
const failedStarts = ["SIGTRAP", "SIGABRT", "SIGILL", "SIGSEGV"];

/**
 * Why there can be no desktop window in this environment, as a sentence; undefined when there can.
 *
 * @param {{ platform: string, env: Record<string, string | undefined>, uid: number | undefined }} where
 */
export function whyNoDesktop({ platform, env, uid }) {
  if (platform !== "linux") return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return "There is no display here for the desktop window.";
  if (uid === 0 && !env.ELECTRON_DISABLE_SANDBOX) {
    return "The desktop window does not open for root, because Electron's sandbox does not work for root.";
  }
  return undefined;
}

/**
 * Opens the desktop app and waits for its end.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<{ ending: import("./child.mjs").Ending } | { reason: string }>} the reason why there is no window
 */
export async function openDesktop(node, args) {
  const reason = whyNoDesktop({ platform: process.platform, env: process.env, uid: process.getuid?.() });
  if (reason !== undefined) return { reason };
  const found = await findElectron(node);
  if ("reason" in found) return found;
  const start = Date.now();
  const ending = await run(found.electron, [inProject("."), ...args], { env: { ELECTRON_RUN_AS_NODE: undefined } });
  return failedToStart(ending, Date.now() - start)
    ? { reason: "Electron did not start on this system: the lines above say why." }
    : { ending };
}

/** @type {(ending: import("./child.mjs").Ending, took: number) => boolean} */
function failedToStart({ code, signal, problem }, took) {
  if (problem !== null || code === 127) return true;
  return took < startLimit && signal !== null && failedStarts.includes(signal);
}

/**
 * Electron's program. The package downloads it on first use; a download that failed is not tried again for a day.
 *
 * @param {string} node
 * @returns {Promise<{ electron: string } | { reason: string }>}
 */
async function findElectron(node) {
  const ready = installedElectron();
  if (ready !== undefined) return { electron: ready };
  if (failedLately()) {
    return { reason: "Electron could not be downloaded earlier (`npx install-electron` tries again)." };
  }
  const start = Date.now();
  process.stderr.write("Downloading Electron … ");
  await runScript(node, "node_modules/electron/install.js", [], { quiet: true, timeout: downloadLimit });
  const electron = installedElectron();
  printLine(`${electron === undefined ? "failed after " : ""}${formatDuration(Date.now() - start)}`);
  rememberDownload(electron !== undefined);
  return electron === undefined ? { reason: "Electron could not be downloaded." } : { electron };
}

/** Asks the package where its program is, without letting it start a download of its own. */
export function installedElectron() {
  const folder = inProject("node_modules/electron");
  const unpacked = existsSync(`${folder}/path.txt`) && existsSync(`${folder}/dist/version`);
  if (!unpacked && !process.env.ELECTRON_OVERRIDE_DIST_PATH) return undefined;
  /** @type {string} */
  const electron = createRequire(import.meta.url)(folder);
  return existsSync(electron) ? electron : undefined;
}

function failedLately() {
  try {
    const { version, at } = JSON.parse(readFileSync(downloadNote, "utf8"));
    return version === electronVersion() && Date.now() - at < retryAfter;
  } catch {
    return false;
  }
}

/** @param {boolean} worked */
function rememberDownload(worked) {
  if (worked) return rmSync(downloadNote, { force: true });
  mkdirSync(dirname(downloadNote), { recursive: true });
  writeFileSync(downloadNote, JSON.stringify({ version: electronVersion(), at: Date.now() }));
}

/** @returns {string} */
function electronVersion() {
  return JSON.parse(readFileSync(inProject("node_modules/electron/package.json"), "utf8")).version;
}
