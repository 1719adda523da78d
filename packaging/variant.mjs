/**
 * What is made: a package for users; the same with Node's inspector left on, through which Playwright drives it; or one around
 * a stand-in where Electron's program is not installed, which shows everything about a package but that it runs.
 * @typedef {"release" | "test" | "unrunnable"} Kind
 */

/**
 * The configuration of one run. Packages that are not for users have it in their names.
 *
 * @template {object} C
 * @param {C} config electron-builder.config.mjs
 * @param {object} run
 * @param {Kind} run.kind
 * @param {string} run.electronDist the folder of Electron's program, or of its stand-in
 * @param {string} run.output
 * @param {boolean} run.signs whether there is a certificate to sign with
 * @returns {any}
 */
export function createVariant(config, { kind, electronDist, output, signs }) {
  const named = kind === "release" ? config : markNames(config, kind);
  return {
    ...named,
    electronDist,
    directories: { ...named.directories, output },
    electronFuses: { ...named.electronFuses, enableNodeCliInspectArguments: kind === "test" },
    // Without a certificate it is signed ad hoc, which macOS insists on; the hardened runtime loads no framework that is signed so.
    mac: signs ? named.mac : { ...named.mac, identity: "-", hardenedRuntime: false, notarize: false },
  };
}

/**
 * @param {any} value
 * @param {Kind} kind
 * @returns {any}
 */
function markNames(value, kind) {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === "artifactName" ? each.replace(/^sheaf/, `sheaf-${kind}`) : markNames(each, kind),
  ]);
  return Object.fromEntries(entries);
}
