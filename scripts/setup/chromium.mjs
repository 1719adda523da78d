import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./child.mjs";
import { runScript } from "./node.mjs";
import { root } from "./paths.mjs";
import { step } from "./say.mjs";
import { SetupError } from "./setup-error.mjs";

const systemPrograms = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * A Chromium for the browser tests: `SHEAF_CHROMIUM`, else the system's, else Playwright's; where there is none, it
 * is installed: as root on Debian with apt-get (which brings the libraries too), otherwise by Playwright.
 *
 * @param {string} node
 * @returns {Promise<string>} path of the program
 */
export async function ensureChromium(node) {
  const asked = process.env.SHEAF_CHROMIUM;
  if (asked && !works(asked)) throw new SetupError(`SHEAF_CHROMIUM names ${asked}, which does not run.`);
  const found = asked || findChromium(node);
  if (found !== undefined) return found;
  const advice = "Install Chromium or Chrome, or name one in SHEAF_CHROMIUM, then run the command again.";
  await step("Installing Chromium", advice, () => installChromium(node));
  const installed = findChromium(node);
  if (installed === undefined) throw new SetupError(`The Chromium that was installed does not run here. ${advice}`);
  return installed;
}

/** @param {string} node */
function findChromium(node) {
  const system = systemPrograms.map(locate).find((path) => path !== undefined && works(path));
  if (system !== undefined) return system;
  const own = playwrightsOwn(node);
  return own !== undefined && works(own) ? own : undefined;
}

/** @param {string} node */
async function installChromium(node) {
  if (process.getuid?.() === 0 && locate("apt-get") !== undefined) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { quiet: true, env });
    return run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium"], { quiet: true, env });
  }
  return runScript(node, "node_modules/playwright/cli.js", ["install", "chromium"], { quiet: true });
}

/**
 * Where Playwright keeps its own Chromium, whether it is there or not.
 * @param {string} node
 */
function playwrightsOwn(node) {
  const print = 'import { chromium } from "@playwright/test"; process.stdout.write(chromium.executablePath());';
  const { stdout } = spawnSync(node, ["--input-type=module", "-e", print], { cwd: root, encoding: "utf8" });
  return stdout || undefined;
}

/** @param {string} program */
function locate(program) {
  if (/[/\\]/.test(program)) return program;
  if (process.platform === "win32") return undefined;
  const { stdout } = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
  return stdout?.trim() || undefined;
}

/**
 * Whether it starts: a download can be there without the libraries it needs. (On Windows `--version` opens a window.)
 * @param {string} path
 */
function works(path) {
  if (process.platform === "win32") return existsSync(path);
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}
