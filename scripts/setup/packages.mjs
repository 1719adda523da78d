import { readFileSync } from "node:fs";
import { nodePackage } from "./node.mjs";
import { runNpm } from "./npm.mjs";
import { inProject } from "./paths.mjs";
import { step } from "./say.mjs";

/** Installs the packages when they are missing, half installed, or not the ones of the lockfile. */
export async function ensurePackages() {
  const wanted = readJson("package-lock.json");
  const declared = readJson("package.json");
  const installed = readJson("node_modules/.package-lock.json");
  if (isInstalled({ declared, wanted, installed, nodePackage: nodePackage() })) return;
  await step(
    "Installing packages",
    "The packages could not be installed. Check the network connection and npm's registry setting, then run the command again.",
    () =>
      runNpm(["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"], {
        quiet: true,
      }),
  );
}

/**
 * Whether what npm says it has installed is what the lockfile asks for. npm removes its own record
 * (`node_modules/.package-lock.json`) first and writes it last, so an install that was cut short has none.
 *
 * @param {object} state
 * @param {any} state.declared package.json
 * @param {any} state.wanted package-lock.json
 * @param {any} state.installed npm's record in node_modules; undefined where there is none
 * @param {string | undefined} state.nodePackage this platform's Node 24: it may not be left out, as other optional packages may
 */
export function isInstalled({ declared, wanted, installed, nodePackage }) {
  if (installed?.packages === undefined) return false;
  if (!declaresTheSame(declared, wanted.packages[""])) return false;
  return Object.entries(wanted.packages).every(([path, locked]) => {
    if (path === "") return true;
    const found = installed.packages[path];
    if (found !== undefined) return found.version === locked.version && found.integrity === locked.integrity;
    return Boolean(locked.optional ?? locked.devOptional) && path !== `node_modules/${nodePackage}`;
  });
}

/** @type {(declared: any, locked: any) => boolean} */
function declaresTheSame(declared, locked) {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
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
