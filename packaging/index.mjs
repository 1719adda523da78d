/** `npm run package:desktop [-- TARGET…]`: makes packages of the desktop app, or with `--check` looks into them. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installedElectron } from "../scripts/setup/desktop.mjs";
import { inProject } from "../scripts/setup/paths.mjs";
import { printLine } from "../scripts/setup/print.mjs";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { check } from "./check.mjs";
import { findNodePackage } from "./command.mjs";
import { pack } from "./pack.mjs";
import { whyNoRelease } from "./release.mjs";
import { allTargets, findTarget, isMadeOn, whyNot } from "./targets.mjs";

const help = `npm run package:desktop [-- TARGET…] [options]

Makes packages of the desktop app in dist/: all that can be made here, or those named: ${allTargets.join(", ")}.

  --check       looks into packages in place of making them: the folder, and deb and rpm where they are named
  --release     fails unless everything is there that users need
  --download    lets electron-builder fetch the tools that it needs on macOS and Windows
  --test-build  leaves Node's inspector on, for Playwright; "test" is in the names
`;

/** @param {string} program */
const has = (program) => spawnSync("which", [program]).status === 0;

async function run() {
  const { values, positionals } = readArguments();
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const named = positionals.map((name) => {
    const target = findTarget(name);
    if (target === undefined) throw new SetupError(`There is no target ${name}. Known: ${allTargets.join(", ")}.`);
    return target;
  });
  const hasElectron = installedElectron() !== undefined;
  if (values.release) {
    const own = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
    const lacking = whyNoRelease({ homepage: own.homepage, hasElectron, isTest: values["test-build"] });
    if (lacking.length > 0) throw new SetupError(`This can't be released:\n  ${lacking.join("\n  ")}`);
  }
  const means = {
    platform: process.platform,
    hasElectron,
    mayDownload: values.download,
    hasNode: findNodePackage() !== undefined,
    appImageRuntime: process.env.SHEAF_APPIMAGE_RUNTIME,
    has,
  };
  if (values.check) {
    const reason = named.map((target) => whyNot(target, means)).find((each) => each !== undefined);
    if (reason !== undefined) throw new SetupError(`This can't be checked here: ${reason}`);
    if (!(await check({ targets: named }))) process.exitCode = 1;
    return;
  }
  const wanted = named.length > 0 ? named : allTargets;
  const made = wanted.filter((target) => whyNot(target, means) === undefined);
  const kind = !hasElectron ? "unrunnable" : values["test-build"] ? "test" : "release";
  const folder = hasElectron ? "dist" : "dist/unrunnable";
  const names = made.length === 0 ? [] : await pack({ kind, targets: made, folder: inProject(folder) });
  for (const name of names) printLine(`  made      ${join(folder, name)}${describeSize(join(folder, name))}`);
  for (const target of wanted.filter((each) => !made.includes(each))) {
    printLine(`  not made  ${target}: ${whyNot(target, means)}`);
    // Where none was named, only a release has to have all of this system.
    if (named.length > 0 || (values.release && isMadeOn(target, process.platform))) process.exitCode = 1;
  }
  if (kind === "unrunnable" && made.length > 0) {
    printLine("Electron's program is not installed (npx install-electron): these are for looking into, and don't run.");
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        check: { type: "boolean", default: false },
        release: { type: "boolean", default: false },
        download: { type: "boolean", default: false },
        "test-build": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
}

/** @param {string} path */
function describeSize(path) {
  const stats = statSync(inProject(path));
  return stats.isFile() ? `  ${(stats.size / 1e6).toFixed(1)} MB` : "";
}

try {
  await run();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
