import { existsSync, rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "./lock.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("two pieces of work under one lock never overlap, and the lock is gone after them", async () => {
  const path = join(folder, "lock");
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([withLock(path, work), withLock(path, work)]);
  expect(existsSync(path)).toBe(false);
});

test("the lock of a process that is gone is taken over", async () => {
  const path = join(folder, "lock");
  await writeFile(path, "999999999");
  await expect(withLock(path, async () => "done")).resolves.toBe("done");
});

test("a start that waits for another says so, once", async () => {
  const path = join(folder, "lock");
  await writeFile(path, String(process.ppid));
  const written = vi.spyOn(process.stderr, "write").mockImplementation(() => {
    rmSync(path);
    return true;
  });
  await withLock(path, async () => {});
  const lines = written.mock.calls.map(([line]) => line);
  written.mockRestore();
  expect(lines).toEqual([`Waiting for another start of Sheaf, which does the same (process ${process.ppid}).\n`]);
});
