import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { run } from "./child.mjs";
import { inProject } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

const major = 24;

/**
 * The package with Node 24 for a platform, by default this one, as package.json names it; undefined for a platform without one.
 * @param {string} [platform]
 * @param {string} [arch]
 */
export function nodePackage(platform = process.platform, arch = process.arch) {
  const { optionalDependencies } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const ending = `-${platform === "win32" ? "win" : platform}-${arch}`;
  return Object.keys(optionalDependencies).find((name) => name.startsWith("node-") && name.endsWith(ending));
}

/**
 * The Node 24 that runs everything after the set-up: the one among the packages, else the system's if it is one.
 * @returns {string} path of the program
 */
export function findNode() {
  const name = nodePackage();
  const file = process.platform === "win32" ? "node.exe" : "node";
  const packaged = name === undefined ? undefined : inProject(`node_modules/${name}/bin/${file}`);
  if (packaged !== undefined && existsSync(packaged) && isRightNode(packaged)) return packaged;
  if (isRightVersion(process.version)) return process.execPath;
  const lacking =
    packaged === undefined
      ? `there is no package with it for ${process.platform}-${process.arch}`
      : `the one in node_modules/${name} is missing or does not run here`;
  throw new SetupError(
    `Sheaf runs on Node ${major}: this is Node ${process.versions.node}, and ${lacking}. ` +
      `Install Node ${major} from https://nodejs.org, then run the command again.`,
  );
}

/**
 * Whether Sheaf runs on it.
 * @param {string} version such as `v24.1.0`
 */
export const isRightVersion = (version) => version.startsWith(`v${major}.`);

/** @param {string} program */
function isRightNode(program) {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return isRightVersion(stdout ?? "");
}

/**
 * Runs a script of the project with Node 24, its input and output passed through.
 * @param {string} node
 * @param {string} script
 * @param {readonly string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runScript(node, script, args = [], options = {}) {
  // The first releases of Node 24 announce at every start that they run TypeScript.
  return run(node, ["--disable-warning=ExperimentalWarning", inProject(script), ...args], options);
}
