import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { extractAll, listPackage, statFile } from "@electron/asar";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { validateConfiguration } from "app-builder-lib/out/util/config/config.js";
import config from "../electron-builder.config.mjs";
import { runChecks } from "../scripts/setup/checks.mjs";
import { run } from "../scripts/setup/child.mjs";
import { installedElectron } from "../scripts/setup/desktop.mjs";
import { inProject, root } from "../scripts/setup/paths.mjs";
import { checkFiles, isAppFile, longestAsar } from "./asar-list.mjs";
import { checkDeb } from "./check-deb.mjs";
import { checkInstalledByDnf, checkRpm } from "./check-rpm.mjs";
import { pack } from "./pack.mjs";
import { findSandboxOff } from "./sandbox.mjs";
import { createVariant } from "./variant.mjs";

/** @typedef {import("../scripts/setup/checks.mjs").Outcome} Outcome */

/**
 * Packs the app into a folder of its own and looks into it: what is in it, the fuses, and whether it works outside of this
 * project, by the whole suite of tests with the stand-in for Electron.
 *
 * @param {object} [what]
 * @param {readonly import("./targets.mjs").Target[]} [what.targets] `deb` and `rpm` are looked into, too
 * @param {readonly string[]} [what.leaveOut] see `pack`
 * @returns {Promise<boolean>} whether all is right
 */
export async function check({ targets = [], leaveOut = [] } = {}) {
  const work = inProject("dist/.checking");
  // Away from here: an app that lacks a module would find it in the project's node_modules.
  const app = mkdtempSync(join(tmpdir(), "sheaf-packed-"));
  rmSync(work, { recursive: true, force: true });
  const kind = installedElectron() === undefined ? "unrunnable" : "release";
  const extra = targets.filter((target) => target === "deb" || target === "rpm");
  try {
    return await runChecks([
      [
        { name: "configuration", run: checkConfiguration },
        {
          name: "packing",
          run: async () => {
            await pack({ kind, targets: ["dir", ...extra], folder: work, leaveOut });
            return { passed: true };
          },
        },
      ],
      [
        { name: "files of the app", run: async () => fromProblems(checkArchive(findPacked(work).asar)) },
        { name: "fuses", run: async () => fromProblems(await checkFuses(findPacked(work).program)) },
        ...extra.map((target) => ({
          name: target,
          run: async () => {
            const file = findPackage(work, target);
            return fromProblems(target === "deb" ? await checkDeb(file, join(work, "root")) : checkRpm(file));
          },
        })),
        ...(extra.includes("rpm")
          ? [{ name: "rpm, installed by dnf", run: async () => checkInstalledByDnf(findPackage(work, "rpm")) }]
          : []),
      ],
      [
        {
          name: "the app outside of this project, with keytar",
          run: async () => {
            extractAll(findPacked(work).asar, app);
            if (!existsSync(join(app, "node_modules/keytar")))
              return { passed: true, leftOut: "keytar is not installed here." };
            return runSuite(app);
          },
        },
      ],
      [
        {
          name: "the app outside of this project, without keytar",
          run: () => {
            rmSync(join(app, "node_modules"), { recursive: true, force: true });
            return runSuite(app);
          },
        },
      ],
    ]);
  } finally {
    for (const folder of [work, app]) rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {(folder: string, target: string) => string} */
const findPackage = (folder, target) =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(`.${target}`)) ?? "");

/**
 * Where the app's archive is, and the program that has the fuses.
 * @param {string} folder
 */
function findPacked(folder) {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("app.asar"));
  const asar = join(folder, found ?? "app.asar");
  const around = dirname(dirname(asar));
  /** @type {Partial<Record<string, string>>} */
  const programs = { darwin: dirname(around), win32: join(around, "Sheaf.exe") };
  return { asar, program: programs[process.platform] ?? join(around, "sheaf-desktop") };
}

/** @type {(problems: readonly string[]) => Outcome} */
const fromProblems = (problems) => ({ passed: problems.length === 0, output: problems.join("\n") });

/** Where electron-builder would note what is wrong. */
const silent = { isEnabled: false };

/** electron-builder's own schema takes the configuration, and refuses it with a key that it doesn't know. @returns {Promise<Outcome>} */
async function checkConfiguration() {
  const variant = createVariant(config, { kind: "release", electronDist: "electron", output: "dist", signs: true });
  try {
    await validateConfiguration(variant, silent);
  } catch (error) {
    return { passed: false, output: error instanceof Error ? error.message : String(error) };
  }
  const { asarUnpack, ...others } = variant;
  const takesAll = await validateConfiguration({ ...others, asarUnpak: asarUnpack }, silent).then(
    () => true,
    () => false,
  );
  const scripts = Object.fromEntries(
    readdirSync(inProject("packaging/linux")).map((name) => [
      name,
      readFileSync(inProject(`packaging/linux/${name}`), "utf8"),
    ]),
  );
  return fromProblems([...(takesAll ? ["A misspelt key passes."] : []), ...findSandboxOff(variant, scripts)]);
}

/** @param {string} asar */
function checkArchive(asar) {
  const entries = listPackage(asar, { isPack: false }).map((path) => path.replaceAll("\\", "/").replace(/^\//, ""));
  const files = entries.filter((path) => !("files" in statFile(asar, path)));
  const unpacked = files.filter((path) => {
    const entry = statFile(asar, path);
    return "unpacked" in entry && entry.unpacked === true;
  });
  const built = ["package.json", "LICENSE", ...["out", "examples"].flatMap(listFiles)].filter(isAppFile);
  const { size } = statSync(asar);
  return [
    ...checkFiles({ files, unpacked, needed: built }),
    ...(size > longestAsar ? [`The archive has ${size} bytes, more than ${longestAsar}.`] : []),
  ];
}

/** @param {string} folder */
function listFiles(folder) {
  return readdirSync(inProject(folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(folder, path).replaceAll("\\", "/"),
  );
}

/** @param {string} program */
async function checkFuses(program) {
  const { version: _, ...wire } = await getCurrentFuseWire(program);
  /** @type {Record<string, boolean>} */
  const wanted = {
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    // As Electron ships it: without it, WebAssembly checks each access to memory by code.
    WasmTrapHandlers: true,
  };
  return Object.entries(wire).flatMap(([index, state]) => {
    const name = FuseV1Options[Number(index)] ?? index;
    if (!(name in wanted)) return [`Electron has a new fuse, ${name}: decide on it.`];
    return (state === FuseState.ENABLE) === wanted[name]
      ? []
      : [`The fuse ${name} is not ${wanted[name] ? "on" : "off"}.`];
  });
}

/**
 * The tests with the stand-in for Electron, of an app in another folder.
 * @param {string} app
 * @returns {Promise<Outcome>}
 */
async function runSuite(app) {
  const vitest = inProject("node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--project", "built", "e2e/electron-standin", "--reporter", "dot"];
  const { code, output } = await run(process.execPath, args, { cwd: root, quiet: true, env: { SHEAF_BUILT_APP: app } });
  const counts = /Tests .*/.exec(stripVTControlCharacters(output))?.[0] ?? "";
  return { passed: code === 0, output: code === 0 ? counts : output.trimEnd() };
}
