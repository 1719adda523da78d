/**
 * Prints the packages that the index of each room loads, and the rooms below it do not, as JSON: `node
 * scripts/loaded-packages.mjs`. What is imported when it is first used is not among them.
 */
import { createRequire, registerHooks } from "node:module";

/** @type {{ floors: string[][] }} */
const { floors } = createRequire(import.meta.url)("./rooms.cjs");

/** @type {Set<string>} */
let loaded = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (name !== undefined) loaded.add(name);
    return nextLoad(url, context);
  },
});

/** @type {Record<string, string[]>} */
const packages = {};
for (const room of floors.flat()) {
  if (room === "desktop") continue;
  loaded = new Set();
  await import(`#main/${room}`);
  packages[room] = [...loaded].sort();
}
console.log(JSON.stringify(packages, null, 2));
