import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempDir } from "../testing/index.ts";
import { makeFolder } from "./folder.ts";

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
