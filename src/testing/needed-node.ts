/** The oldest Node that the package runs on. */
export const neededNode = "22.19";

/** Throws on an older one, in a sentence: what is loaded next would fail there in words that tell nothing. */
export function checkNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor = 0, neededMinor = 0] = neededNode.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new Error(`sheaf needs Node ${neededNode} or newer: this is Node ${version}.`);
}
