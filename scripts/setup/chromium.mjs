import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

/** The first that is there: one without windows costs the least. */
const systemPrograms = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** One sentence for a machine without a browser. */
export const howToGetChromium =
  "No Chromium was found: install Chromium or Chrome (`apt-get install chromium`, or `npx playwright install chromium`), or name one in SHEAF_CHROMIUM.";

/**
 * What the browser tests come to without one: a developer's machine may lack it, one that checks everything may not.
 *
 * @param {{ CI?: string | undefined }} env
 * @returns {import("./checks.mjs").Outcome}
 */
export function leaveOutBrowser({ CI }) {
  return { passed: CI !== "true", leftOut: `The browser tests were left out. ${howToGetChromium}` };
}

/**
 * A Chromium for the browser tests: the one that `SHEAF_CHROMIUM` names, else the system's, else Playwright's.
 *
 * @param {string} node
 * @returns {string | null} path of the program
 */
export function findChromium(node) {
  const asked = process.env.SHEAF_CHROMIUM;
  if (asked && !works(asked)) throw new SetupError(`SHEAF_CHROMIUM names ${asked}, which does not run.`);
  if (asked) return asked;
  const system = systemPrograms.map(locate).find((path) => path !== undefined && works(path));
  if (system !== undefined) return system;
  const own = playwrightsOwn(node);
  return own !== undefined && works(own) ? own : null;
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
