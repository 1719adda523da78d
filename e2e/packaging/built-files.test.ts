import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entries } from "#app-paths";
import { isAppFile, longestAsar } from "../../packaging/asar-list.mjs";
import { inProject } from "../../scripts/setup/paths.mjs";

/** What the build made for the app: `out/package` is the npm package. */
const built = ["out/main", "out/preload", "out/renderer"].flatMap((folder) =>
  readdirSync(inProject(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(inProject("").length)),
);

test("everything that is built for the app is packed with it: no maps, no other kinds of files", () => {
  expect(built.filter((path) => !isAppFile(path))).toEqual([]);
});

test("each module that is loaded by its address is there", () => {
  const needed = Object.keys(entries).map((name) => `out/main/${name}.js`);
  expect(built).toEqual(expect.arrayContaining(needed));
});

test("the app stays below the most that a package may have", () => {
  const bytes = built.reduce((sum, path) => sum + statSync(inProject(path)).size, 0);
  expect(bytes).toBeLessThan(longestAsar);
});
