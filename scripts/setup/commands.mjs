import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild } from "./build.mjs";
import { runChecks } from "./checks.mjs";
import { endLike } from "./child.mjs";
import { findChromium, howToGetChromium, leaveOutBrowser } from "./chromium.mjs";
import { openDesktop } from "./desktop.mjs";
import { checkNothingIsLeft } from "./left-over.mjs";
import { findNode, runScript } from "./node.mjs";
import { runNpm } from "./npm.mjs";
import { ensurePackages, ensurePackagingTools } from "./packages.mjs";
import { printLine } from "./print.mjs";
import { SetupError } from "./setup-error.mjs";
import { chooseTemporary } from "./temporary.mjs";
import { findTestFolder } from "./test-folders.mjs";
import { describeFailed, describeSlowest } from "./test-reports.mjs";

const sheaf = "src/main/headless.ts";

/** Node loads the tests as it loads the program. Playwright would compile all of it again, for every new copy of the project. */
const runTypeScriptAsIs = { PW_DISABLE_TS_ESM: "1" };

/** @type {Record<string, (node: string, args: readonly string[]) => Promise<void>>} */
const commands = {
  /** The desktop app; where it cannot be had, the same app in the browser. */
  async start(node, args) {
    await ensureBuild(node);
    const opened = await openDesktop(node, args);
    if ("ending" in opened) return endLike(opened.ending);
    printLine(`${opened.reason} Opening Sheaf in the browser instead.`);
    endLike(await runScript(node, sheaf, ["web", ...args]));
  },

  /** The app in the browser. */
  async web(node, args) {
    await ensureBuild(node);
    endLike(await runScript(node, sheaf, ["web", ...args]));
  },

  /** The headless commands. They need no build, but for `web`. npm has changed the folder: paths are the user's. */
  async sheaf(node, args) {
    if (args[0] === "web") await ensureBuild(node);
    endLike(await runScript(node, sheaf, args, { cwd: process.env.INIT_CWD ?? process.cwd() }));
  },

  /** The tarball that is published. */
  async package(node) {
    await ensureBuild(node);
    endLike(await runScript(node, "scripts/package/index.ts"));
  },

  /** The desktop app as files to install. What makes them is installed for this command alone. */
  async "package:desktop"(node, args) {
    await ensureBuild(node);
    await ensurePackagingTools();
    endLike(await runScript(node, "packaging/index.mjs", args));
  },

  async bench(node, args) {
    endLike(await runScript(node, "bench/index.ts", args));
  },

  /** Every check of the project, up to the first stage that fails. With names of rooms, the unit tests of these alone. */
  async test(node, rooms) {
    if (rooms.length > 0) {
      const args = ["run", "--project", "unit", ...rooms.map(findTestFolder)];
      return endLike(await runScript(node, "node_modules/vitest/vitest.mjs", args));
    }
    const chromium = findChromium(node);
    const reports = mkdtempSync(join(chooseTemporary(), "sheaf-tests-"));
    // Files of tests are removed with the reports.
    const TMPDIR = join(reports, "t");
    mkdirSync(TMPDIR);
    // Processes that tests start inherit it: by this, those that are left at the end are found.
    const env = { SHEAF_TEST_REPORTS: reports, TMPDIR };
    const passed = await runChecks([
      [
        { name: "format, lint, layers, dead code", run: () => runQuietly("lint") },
        { name: "types", run: () => runQuietly("types") },
        { name: "build", run: () => ensureBuild(node).then(() => ({ passed: true })) },
      ],
      // Both wait a good deal: for processes, for polls, for what a person would see.
      [
        { name: "unit and service tests", run: () => runShown("unit", env) },
        {
          name: "browser tests",
          run: async () =>
            chromium === null
              ? leaveOutBrowser(process.env)
              : runQuietly("e2e", { ...env, ...runTypeScriptAsIs, SHEAF_CHROMIUM: chromium }),
        },
      ],
      [{ name: "nothing left running", run: () => checkNothingIsLeft(`SHEAF_TEST_REPORTS=${reports}`), always: true }],
    ]);
    printLine(`\nThe slowest tests:\n${describeSlowest(reports)}`);
    // Last, since of a long log often the end alone is at hand.
    const failed = describeFailed(reports);
    if (failed !== "") printLine(`\nWhat failed:\n${failed}`);
    rmSync(reports, { recursive: true, force: true, maxRetries: 3 });
    if (!passed) process.exitCode = 1;
  },

  /** The long forms of the tests: many more made-up inputs, servers killed again and again, the accuracy of verification. */
  async soak(node, args) {
    await ensureBuild(node);
    const vitest = ["--config", "vitest.soak.config.ts", "run", ...args];
    const ending = await runScript(node, "node_modules/vitest/vitest.mjs", vitest);
    if (ending.code !== 0) return endLike(ending);
    endLike(await runScript(node, "bench/index.ts", ["verify"]));
  },

  /** Pictures of all screens, in both themes and two windows, each looked at by all of axe. `readme` renews the README's. */
  async pictures(node, args) {
    const chromium = findChromium(node);
    if (chromium === null) throw new SetupError(howToGetChromium);
    await ensureBuild(node);
    const env = { ...runTypeScriptAsIs, SHEAF_CHROMIUM: chromium, SHEAF_PICTURES: args[0] ?? "all" };
    endLike(await runScript(node, "node_modules/@playwright/test/cli.js", ["test", "--grep", "@screens"], { env }));
  },
};

/** @typedef {import("./checks.mjs").Outcome} Outcome */

/** @type {(script: string, env?: Record<string, string>) => Promise<Outcome>} */
async function runQuietly(script, env = {}) {
  const { code, output, problem } = await runNpm(["run", "-s", script], { quiet: true, env });
  return { passed: code === 0, output: problem?.message ?? output.trimEnd() };
}

/** @type {(script: string, env: Record<string, string>) => Promise<Outcome>} */
async function runShown(script, env) {
  const { code } = await runNpm(["run", "-s", script], { env });
  return { passed: code === 0 };
}

/**
 * Makes everything ready for a command and runs it.
 * @param {string | undefined} name
 * @param {readonly string[]} args what the user gave for the command itself
 */
async function runCommand(name, args) {
  const command = commands[name ?? ""];
  if (command === undefined)
    throw new SetupError(`Unknown command ${name}. Known: ${Object.keys(commands).join(", ")}.`);
  await ensurePackages();
  await command(findNode(), args);
}

/**
 * The same, with what is wrong as a sentence and an exit code.
 * @param {string | undefined} name
 * @param {readonly string[]} args
 */
export async function start(name, args) {
  try {
    await runCommand(name, args);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    printLine(error.message);
    process.exitCode = 1;
  }
}
