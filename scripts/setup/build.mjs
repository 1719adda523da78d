import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { runScript } from "./node.mjs";
import { describeOddFolder } from "./odd-folder.mjs";
import { inProject, root } from "./paths.mjs";
import { step } from "./print.mjs";
import { SetupError } from "./setup-error.mjs";

/** Everything that the built files depend on. */
const inputs = [
  // The guide in the app is made of some of it.
  "docs",
  "electron.vite.config.ts",
  "package-lock.json",
  "package.json",
  "scripts/package/licenses.ts",
  "src",
  "tsconfig.base.json",
];

/** What a build makes, by one file of each part. */
const outputs = [
  "out/main/index.js",
  "out/main/cli.js",
  "out/main/o200k.bin",
  "out/preload/index.cjs",
  "out/renderer/index.html",
];

const stamp = inProject("out/.built-from");

/**
 * Builds the app when its sources are not those of the last build, or a part of that is gone. Another process that builds is waited for.
 * @param {string} node
 */
export async function ensureBuild(node) {
  if (isBuilt()) return;
  const problem = describeOddFolder(root);
  if (problem !== undefined) throw new SetupError(problem);
  await withLock(inProject("out/.building"), async () => {
    if (!isBuilt()) await build(node);
  });
}

/**
 * The file of the `sheaf` command, for tests that start it as a process. The built command takes half the processor time of the
 * sources to start. It is used unless the sources are newer.
 */
export function findCommand() {
  command ??= inProject(isBuilt() ? "out/main/cli.js" : "src/main/headless.ts");
  return command;
}

/** @type {string | undefined} */
let command;

function isBuilt() {
  const isThere = outputs.every((path) => existsSync(inProject(path)));
  return isThere && readIfThere(stamp) === hashOf(inputs.map(inProject));
}

/** @param {string} node */
async function build(node) {
  const hash = hashOf(inputs.map(inProject));
  rmSync(stamp, { force: true });
  await step("Building the app", "The app could not be built: the message above says which file to repair.", () =>
    runScript(node, "node_modules/electron-vite/bin/electron-vite.js", ["build"], { quiet: true }),
  );
  writeFileSync(stamp, hash);
}

/**
 * A hash over the content and the names of files and folders. Tests are left out: nothing is built from them.
 * @param {readonly string[]} paths
 */
export function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesUnder)) hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  try {
    const names = readdirSync(path).sort();
    return names.flatMap((name) => (/\.test\.tsx?$/.test(name) ? [] : filesUnder(join(path, name))));
  } catch {
    return [path];
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
