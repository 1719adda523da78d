import { existsSync, readFileSync } from "node:fs";
import { withLock } from "./lock.mjs";
import { isRightVersion, nodePackage } from "./node.mjs";
import { runNpm } from "./npm.mjs";
import { inProject } from "./paths.mjs";
import { step } from "./print.mjs";

/**
 * Installs the packages when they are missing, half installed, or not the ones of the lockfile. Another process that
 * installs them is waited for: `npm ci` begins with removing what is there.
 */
export async function ensurePackages() {
  const ownNode = isRightVersion(process.version) ? undefined : nodePackage();
  await ensureInstalled("", {
    doing: "Installing packages",
    args: ["--include=dev", "--include=optional"],
    nodePackage: ownNode,
    env: headersForKeytar,
  });
}

/** The same for what makes desktop packages, which has a folder and a lockfile of its own. None of it is compiled. */
export async function ensurePackagingTools() {
  await ensureInstalled("packaging/", {
    doing: "Installing the packaging tools",
    args: ["--include=dev", "--ignore-scripts"],
  });
}

/**
 * @param {string} folder in the project, with a slash at its end
 * @param {object} how
 * @param {string} how.doing
 * @param {readonly string[]} how.args
 * @param {string | undefined} [how.nodePackage] see `isInstalled`
 * @param {() => Record<string, string>} [how.env]
 */
async function ensureInstalled(folder, { doing, args, nodePackage, env = () => ({}) }) {
  if (areInstalled(folder, nodePackage)) return;
  await withLock(inProject("out/.installing"), async () => {
    if (areInstalled(folder, nodePackage)) return;
    await step(
      doing,
      "They could not be installed. Check the network connection and npm's registry setting, then run the command again.",
      () =>
        runNpm(["ci", ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
          cwd: inProject(folder || "."),
          quiet: true,
          env: env(),
        }),
    );
  });
}

/**
 * Whether the packages of a folder are installed.
 * @param {string} folder in the project, with a slash at its end
 * @param {string} [nodePackage] see `isInstalled`
 */
export function areInstalled(folder, nodePackage) {
  const wanted = readJson(`${folder}package-lock.json`);
  const declared = readJson(`${folder}package.json`);
  const installed = readJson(`${folder}node_modules/.package-lock.json`);
  const isThere = (/** @type {string} */ path) => existsSync(inProject(`${folder}${path}/package.json`));
  return isInstalled({ declared, wanted, installed, isThere, nodePackage });
}

/**
 * keytar, which is optional, is compiled where its binary can't be downloaded. On Linux the headers that this takes come
 * with Node 24, one of the packages: a network that lets nothing but the registry through costs no wait for them.
 * @returns {Record<string, string>}
 */
function headersForKeytar() {
  const name = nodePackage();
  if (process.platform !== "linux" || name === undefined || process.env.npm_config_nodedir) return {};
  return { npm_config_nodedir: inProject(`node_modules/${name}`) };
}

/**
 * Whether what npm records as installed is what the lockfile asks for. npm removes its own record
 * (`node_modules/.package-lock.json`) first and writes it last, so an install that was cut short has none. What was
 * removed by other hands is still in the record: each folder is looked for, too.
 *
 * @param {object} state
 * @param {any} state.declared package.json
 * @param {any} state.wanted package-lock.json
 * @param {any} state.installed npm's record in node_modules; undefined where there is none
 * @param {(path: string) => boolean} state.isThere whether a package is in its folder
 * @param {string | undefined} state.nodePackage this platform's Node 24 where the system has none: it may not be left out, as
 *   other optional packages may
 */
export function isInstalled({ declared, wanted, installed, isThere, nodePackage }) {
  if (installed?.packages === undefined) return false;
  if (!declaresTheSame(declared, wanted.packages[""])) return false;
  return Object.entries(wanted.packages).every(([path, locked]) => {
    if (path === "") return true;
    const found = installed.packages[path];
    if (found !== undefined) {
      return found.version === locked.version && found.integrity === locked.integrity && isThere(path);
    }
    return Boolean(locked.optional ?? locked.devOptional) && path !== `node_modules/${nodePackage}`;
  });
}

const kinds = /** @type {const} */ (["dependencies", "devDependencies", "optionalDependencies"]);
/** @typedef {Partial<Record<(typeof kinds)[number], Record<string, string>>>} Declared */

/** @type {(declared: Declared, locked: Declared | undefined) => boolean} */
function declaresTheSame(declared, locked) {
  /** @param {Record<string, string>} [versions] */
  const sorted = (versions) => JSON.stringify(Object.entries(versions ?? {}).sort());
  return kinds.every((kind) => sorted(declared[kind]) === sorted(locked?.[kind]));
}

/** @param {string} relative */
function readJson(relative) {
  try {
    return JSON.parse(readFileSync(inProject(relative), "utf8"));
  } catch {
    return undefined;
  }
}
