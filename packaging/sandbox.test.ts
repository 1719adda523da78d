import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../electron-builder.config.mjs";
import { findSandboxOff } from "./sandbox.mjs";

const folder = new URL("linux/", import.meta.url);
const scripts = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
);

test("no package starts the app without the sandbox", () => {
  expect(Object.keys(scripts)).toContain("AppRun");
  expect(findSandboxOff(config, scripts)).toEqual([]);
});

test.each([
  ["an argument for all of Linux", { linux: { executableArgs: ["--no-sandbox"] } }, 2],
  ["an argument for debs", { linux: { executableArgs: [] }, deb: { executableArgs: ["--no-sandbox"] } }, 2],
  ["none given, where electron-builder adds one", { linux: {} }, 1],
])("notices %s", (_, broken, problems) => {
  expect(findSandboxOff(broken, {})).toHaveLength(problems);
});

test.each(["--no-sandbox", "--disable-gpu-sandbox", "--disable-setuid-sandbox"])("notices a script with %s", (flag) => {
  expect(findSandboxOff(config, { AppRun: `exec sheaf-desktop ${flag}` })).toEqual(["AppRun turns the sandbox off."]);
});
