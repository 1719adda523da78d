import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashOf } from "./build.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-build-"));
  await mkdir(join(folder, "deep"));
  await writeFile(join(folder, "deep", "a.ts"), "1");
});
afterEach(() => rm(folder, { recursive: true }));

test("a build is stale when a source changes, appears or has another name", async () => {
  const hashes = [hashOf([folder])];
  await writeFile(join(folder, "deep", "a.ts"), "2");
  hashes.push(hashOf([folder]));
  await writeFile(join(folder, "b.ts"), "2");
  hashes.push(hashOf([folder]));
  await rm(join(folder, "b.ts"));
  await writeFile(join(folder, "c.ts"), "2");
  hashes.push(hashOf([folder]));
  expect(new Set(hashes).size).toBe(4);
});

test("a build stays good when only times or tests change", async () => {
  const before = hashOf([folder]);
  await utimes(join(folder, "deep", "a.ts"), new Date(0), new Date(0));
  await writeFile(join(folder, "deep", "a.test.ts"), "new");
  expect(hashOf([folder])).toBe(before);
});
