import { spawnSync } from "node:child_process";
import { inProject } from "../scripts/setup/paths.mjs";

/**
 * What a package for users lacks here, a sentence each.
 * @param {{ homepage: string, hasElectron: boolean, isTest: boolean, loadsKeytar?: () => boolean }} state
 * @returns {string[]}
 */
export function whyNoRelease({ homepage, hasElectron, isTest, loadsKeytar = keytarLoads }) {
  return [
    ...(hasElectron ? [] : ["Electron's program is not installed (npx install-electron)."]),
    ...(isTest ? ["A test build leaves the inspector on."] : []),
    ...(loadsKeytar()
      ? []
      : [`keytar does not load here, on ${process.platform}-${process.arch}: keys would not go to the keychain.`]),
    ...(/\.example\b/.test(homepage) ? ["package.json names a placeholder as homepage and author."] : []),
  ];
}

/** Whether keytar's binary is there, and one for this system and architecture. In a process of its own, as it is native code. */
function keytarLoads() {
  const script = `require(${JSON.stringify(inProject("node_modules/keytar"))})`;
  return spawnSync(process.execPath, ["-e", script]).status === 0;
}
