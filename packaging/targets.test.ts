import { expect, test } from "vitest";
import { allTargets, findTarget, type Means, whyNot } from "./targets.mjs";

const everything = {
  platform: "linux",
  hasElectron: true,
  mayDownload: true,
  hasNode: true,
  appImageRuntime: "/runtime",
  has: (_program: string) => true,
} satisfies Means;

const without = { has: (_program: string) => false };

test("a name of a target may be written in any case", () => {
  expect([findTarget("appimage"), findTarget("DEB"), findTarget("snap")]).toEqual(["AppImage", "deb", undefined]);
});

test.each([
  ["linux", ["dir", "AppImage", "deb", "rpm"]],
  ["darwin", ["dir", "dmg", "zip"]],
  ["win32", ["dir", "nsis", "portable"]],
])("with everything there, %s makes %s", (platform, expected) => {
  expect(allTargets.filter((target) => whyNot(target, { ...everything, platform }) === undefined)).toEqual(expected);
});

test("without Electron's program, Linux makes all of its packages, and other systems none", () => {
  const made = (platform: string) =>
    allTargets.filter((target) => whyNot(target, { ...everything, platform, hasElectron: false }) === undefined);
  expect([made("linux"), made("darwin"), made("win32")]).toEqual([["dir", "AppImage", "deb", "rpm"], [], []]);
});

test.each([
  ["dmg", everything, "it is made on macOS."],
  ["nsis", { ...everything, platform: "win32", mayDownload: false }, /fetches tools for it: --download allows/],
  ["deb", { ...everything, ...without }, /dpkg-deb is not installed/],
  ["rpm", { ...everything, ...without }, /apt-get install rpm/],
  ["rpm", { ...everything, hasNode: false }, /Node of the command line is not installed/],
  ["AppImage", { ...everything, ...without }, /squashfs-tools/],
  ["AppImage", { ...everything, appImageRuntime: undefined }, /SHEAF_APPIMAGE_RUNTIME/],
] as const)("says why %s can't be made, and what would change that", (target, means, reason) => {
  expect(whyNot(target, means)).toMatch(reason);
});

test("a folder is made on Linux with nothing but Node", () => {
  const bare = {
    ...everything,
    ...without,
    hasElectron: false,
    mayDownload: false,
    hasNode: false,
    appImageRuntime: undefined,
  };
  expect(whyNot("dir", bare)).toBeUndefined();
});
