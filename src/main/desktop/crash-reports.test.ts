import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSilentLogger } from "#main/base";
import { createFakeMachine, makeTempDir } from "../service/testing/index.ts";
import { createCrashReports } from "./crash-reports.ts";

it("keeps the ten latest reports, each with its versions, and nothing else", async () => {
  const folder = join(await makeTempDir(), "crashes");
  const machine = createFakeMachine();
  const reports = createCrashReports(folder, "1.2.3", machine, createSilentLogger());
  for (let exitCode = 1; exitCode <= 12; exitCode++) {
    reports.add({ process: "page", reason: "oom", exitCode, frames: ["read index.js:1:2"] });
    await machine.advance(1_000);
  }
  const names = (await readdir(folder)).toSorted();
  expect(names).toHaveLength(10);
  const found = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
  expect(found.map(({ exitCode }) => exitCode)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(found[0]).toEqual({
    at: expect.any(String),
    process: "page",
    reason: "oom",
    exitCode: 3,
    frames: ["read index.js:1:2"],
    versions: { sheaf: "1.2.3", node: process.versions.node },
  });
});

it("never fails itself: a folder that can't be written has no reports", async () => {
  const file = join(await makeTempDir(), "file");
  await writeFile(file, "");
  const reports = createCrashReports(join(file, "crashes"), "1.2.3", createFakeMachine(), createSilentLogger());
  expect(() => reports.add({ process: "main", reason: "x", exitCode: null, frames: [] })).not.toThrow();
});
