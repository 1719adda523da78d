import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withLock } from "../scripts/setup/lock.mjs";
import { runScript } from "../scripts/setup/node.mjs";
import { inProject } from "../scripts/setup/paths.mjs";
import { step } from "../scripts/setup/print.mjs";
import { writeCommand } from "./command.mjs";
import { writeStandIn } from "./electron.mjs";
import { writeResources } from "./resources.mjs";
import { carriesCommand } from "./targets.mjs";

/** What electron-builder leaves next to the packages: notes about the run, and data for an updater, which Sheaf has none of. */
const leftOver = /^(builder-.*|latest.*\.yml|.*\.blockmap|\.icon-.*)$/;

/**
 * Makes packages in a folder, while no other process does. They are made elsewhere and moved when all are whole: a run that fails leaves nothing there.
 *
 * @param {object} run
 * @param {import("./variant.mjs").Kind} run.kind
 * @param {readonly import("./targets.mjs").Target[]} run.targets
 * @param {string} run.folder
 * @param {readonly string[]} [run.leaveOut] paths in the app that are left out, to see that this is noticed
 * @returns {Promise<string[]>} the names of what is in the folder now, new
 */
export function pack(run) {
  return withLock(inProject("dist/.packing"), () => packAlone(run));
}

/** @param {Parameters<typeof pack>[0]} run */
async function packAlone({ kind, targets, folder, leaveOut = [] }) {
  const { ELECTRON_OVERRIDE_DIST_PATH } = process.env;
  const [making, resources] = [inProject("dist/.making"), inProject("dist/.resources")];
  const own = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  await writeResources(resources, own);
  const standIn = join(making, "electron");
  if (kind === "unrunnable") writeStandIn(standIn, own.devDependencies.electron);
  const run = {
    kind,
    targets,
    leaveOut,
    electronDist:
      kind === "unrunnable" ? standIn : (ELECTRON_OVERRIDE_DIST_PATH ?? inProject("node_modules/electron/dist")),
    output: join(making, "made"),
  };
  const env = writeTools(join(making, "tools"));
  try {
    await step("Packing", "Nothing was packed: the message above says why.", async () => {
      if (targets.some(carriesCommand)) await writeCommand(join(resources, "cli"));
      return await runScript(process.execPath, "packaging/build.mjs", [JSON.stringify(run)], { quiet: true, env });
    });
    return moveMade(run.output, folder, { kind, keepsFolder: targets.includes("dir") });
  } finally {
    for (const path of [making, resources]) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Puts our own programs in the place of those that electron-builder would download. The answer names them, for its environment.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function writeTools(folder) {
  const { SHEAF_APPIMAGE_RUNTIME } = process.env;
  mkdirSync(join(folder, "runtimes"), { recursive: true });
  mkdirSync(join(folder, `lib/${process.arch}`), { recursive: true });
  const fpm = join(folder, "fpm");
  writeFileSync(fpm, `#!/bin/sh\nexec "${process.execPath}" "${inProject("packaging/fpm.mjs")}" "$@"\n`);
  chmodSync(fpm, 0o755);
  copyFileSync(inProject("packaging/linux/mksquashfs.sh"), join(folder, "mksquashfs"));
  writeFileSync(join(folder, "desktop-file-validate"), "");
  if (SHEAF_APPIMAGE_RUNTIME) copyFileSync(SHEAF_APPIMAGE_RUNTIME, join(folder, `runtimes/runtime-${process.arch}`));
  return { CUSTOM_FPM_PATH: fpm, APPIMAGE_TOOLS_PATH: folder, SHEAF_APP_RUN: inProject("packaging/linux/AppRun") };
}

/**
 * @param {string} from
 * @param {string} to
 * @param {{ kind: import("./variant.mjs").Kind, keepsFolder: boolean }} what
 * @returns {string[]}
 */
function moveMade(from, to, { kind, keepsFolder }) {
  mkdirSync(to, { recursive: true });
  const made = readdirSync(from, { withFileTypes: true }).filter(
    (entry) => !leftOver.test(entry.name) && (keepsFolder || !entry.isDirectory()),
  );
  return made.map((entry) => {
    const name = entry.isDirectory() && kind === "test" ? `${entry.name}-test` : entry.name;
    rmSync(join(to, name), { recursive: true, force: true });
    renameSync(join(from, entry.name), join(to, name));
    return name;
  });
}
