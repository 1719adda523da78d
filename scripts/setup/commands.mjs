import { ensureBuild } from "./build.mjs";
import { runChecks } from "./checks.mjs";
import { endLike } from "./child.mjs";
import { ensureChromium } from "./chromium.mjs";
import { openDesktop } from "./desktop.mjs";
import { findNode, runScript } from "./node.mjs";
import { runNpm } from "./npm.mjs";
import { ensurePackages } from "./packages.mjs";
import { say } from "./say.mjs";
import { SetupError } from "./setup-error.mjs";

const sheaf = "src/main/headless.ts";

/** @type {Record<string, (node: string, args: readonly string[]) => Promise<void>>} */
const commands = {
  /** The desktop app; where it cannot be had, the same app in the browser. */
  async start(node, args) {
    await ensureBuild(node);
    const opened = await openDesktop(node, args);
    if ("ending" in opened) return endLike(opened.ending);
    say(`${opened.reason} Opening Sheaf in the browser instead.`);
    endLike(await runScript(node, sheaf, ["web", ...args]));
  },

  /** The app in the browser. */
  async web(node, args) {
    await ensureBuild(node);
    endLike(await runScript(node, sheaf, ["web", ...args]));
  },

  /** The headless commands. They need no build, but for `web`. */
  async sheaf(node, args) {
    if (args[0] === "web") await ensureBuild(node);
    endLike(await runScript(node, sheaf, args));
  },

  async bench(node, args) {
    endLike(await runScript(node, "bench/index.ts", args));
  },

  /** Every check of the project, up to the first that fails. */
  async test(node) {
    const chromium = await ensureChromium(node);
    /** @type {(script: string, env?: Record<string, string>) => () => Promise<boolean>} */
    const npmScript =
      (script, env = {}) =>
      async () =>
        (await runNpm(["run", "-s", script], { env })).code === 0;
    const passed = await runChecks([
      { name: "format, lint, layers, dead code", passes: npmScript("lint") },
      { name: "types", passes: npmScript("types") },
      { name: "build", passes: () => ensureBuild(node).then(() => true) },
      { name: "unit and service tests", passes: npmScript("unit") },
      { name: "browser tests", passes: npmScript("e2e", { SHEAF_CHROMIUM: chromium }) },
    ]);
    if (!passed) process.exitCode = 1;
  },
};

/**
 * Makes everything ready for a command and runs it.
 * @param {string | undefined} name
 * @param {readonly string[]} args what the user gave for the command itself
 */
export async function runCommand(name, args) {
  const command = commands[name ?? ""];
  if (command === undefined)
    throw new SetupError(`Unknown command ${name}. Known: ${Object.keys(commands).join(", ")}.`);
  await ensurePackages();
  await command(findNode(), args);
}
