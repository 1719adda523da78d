/** Which packages there are, and what each takes. */

/** @typedef {"dir" | "AppImage" | "deb" | "rpm" | "dmg" | "zip" | "nsis" | "portable"} Target */

/** @type {Record<string, readonly Target[]>} */
const targetsOf = {
  linux: ["dir", "AppImage", "deb", "rpm"],
  darwin: ["dir", "dmg", "zip"],
  win32: ["dir", "nsis", "portable"],
};

/** @type {Record<string, string>} */
const systems = { linux: "Linux", darwin: "macOS", win32: "Windows" };

export const allTargets = [...new Set(Object.values(targetsOf).flat())];

/**
 * The target of that name, however it is capitalized.
 * @param {string} name
 */
export const findTarget = (name) => allTargets.find((target) => target.toLowerCase() === name.toLowerCase());

/**
 * Whether a target is one of a system's.
 * @param {Target} target
 * @param {string} platform
 */
export const isMadeOn = (target, platform) => targetsOf[platform]?.includes(target) ?? false;

/**
 * Whether a package has the command line, too. Elsewhere it is the npm package.
 * @param {Target} target
 */
export const carriesCommand = (target) => target === "deb" || target === "rpm";

/**
 * What is here to make packages with.
 * @typedef {object} Means
 * @property {string} platform
 * @property {boolean} hasElectron whether Electron's program is installed
 * @property {boolean} mayDownload whether electron-builder may fetch its tools
 * @property {boolean} hasNode whether the Node is installed that goes with the command line
 * @property {string | undefined} appImageRuntime the file that begins an AppImage
 * @property {(program: string) => boolean} has whether a program is in the path
 */

/**
 * Why a target can't be made here, and what would change that; undefined where it can.
 * @param {Target} target
 * @param {Means} means
 */
export function whyNot(target, { platform, hasElectron, mayDownload, hasNode, appImageRuntime, has }) {
  if (!isMadeOn(target, platform)) {
    const owners = Object.keys(systems).filter((system) => isMadeOn(target, system));
    return `it is made on ${owners.map((system) => systems[system]).join(" or ")}.`;
  }
  if (platform !== "linux") {
    if (!hasElectron) return "Electron's program is not installed (npx install-electron).";
    if (target !== "dir" && !mayDownload) return "electron-builder fetches tools for it: --download allows that.";
    return undefined;
  }
  if (target === "deb" && !has("dpkg-deb")) return "dpkg-deb is not installed (apt-get install dpkg).";
  if (target === "rpm" && !has("rpmbuild")) return "rpmbuild is not installed (apt-get install rpm).";
  if (carriesCommand(target) && !hasNode)
    return "the Node of the command line is not installed (npm ci --include=optional).";
  if (target === "AppImage" && !has("mksquashfs"))
    return "mksquashfs is not installed (apt-get install squashfs-tools).";
  if (target === "AppImage" && appImageRuntime === undefined) {
    return "SHEAF_APPIMAGE_RUNTIME names no runtime (one is at https://github.com/AppImage/type2-runtime/releases).";
  }
  return undefined;
}
