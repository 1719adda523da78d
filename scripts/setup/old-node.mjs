/**
 * Node 20.19 and 22.12 are the first that load what the set-up and the checks are made of. This file is read by the Node
 * that it refuses: it is written for any of them.
 */

/** What package.json's `engines` says, too. */
export const neededNode = "^20.19.0 || >=22.12.0";

/**
 * What is wrong with a Node on which the set-up can't run; undefined where nothing is.
 * @param {string} version such as `20.19.0`
 */
export function describeOldNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (isNewEnough) return undefined;
  return `Sheaf needs Node 20.19, 22.12 or newer, and this is Node ${version}. Install Node 24 from https://nodejs.org, then run the command again.`;
}
