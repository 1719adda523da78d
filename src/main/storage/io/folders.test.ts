import { statSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempDir } from "../../service/testing/index.ts";
import { makeFolder, moveInto, removeFiles } from "./folders.ts";

test("a folder is made with those around it, for its owner alone; again is no fault", async () => {
  const folder = join(await makeTempDir(), "a", "b");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("where there can be no folder it fails at once", ({ skip }) => {
  skip(process.platform !== "linux", "only Linux has a /proc");
  expect(() => makeFolder("/proc/none/files")).toThrow("ENOENT");
});

test("files are removed by the form of their names, and nothing else is; no folder is no fault", async () => {
  const folder = await makeTempDir();
  await mkdir(join(folder, "a1"));
  for (const name of ["a2", "b1", ".DS_Store"]) await writeFile(join(folder, name), "");
  await removeFiles(folder, /^a\d$/);
  expect((await readdir(folder)).sort()).toEqual([".DS_Store", "a1", "b1"]);
  await removeFiles(join(folder, "none"), /^a\d$/);
});

test("what is moved takes no other's place", async () => {
  const folder = await makeTempDir();
  for (let copy = 1; copy <= 3; copy++) {
    await writeFile(join(folder, "a"), String(copy));
    moveInto(join(folder, "apart"), join(folder, "a"), "a");
  }
  expect((await readdir(join(folder, "apart"))).sort()).toEqual(["a", "a.2", "a.3"]);
});
