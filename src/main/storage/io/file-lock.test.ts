import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextTurn } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { withFileLock } from "./file-lock.ts";

test("of many that read a file and write it anew, none undoes what another did", async () => {
  const folder = await makeTempDir();
  const path = join(folder, "count");
  await writeFile(path, "0");
  const add = async () => {
    const count = Number(await readFile(path, "utf8"));
    await nextTurn();
    await writeFile(path, `${count + 1}`);
  };
  await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, add)));
  expect(await readFile(path, "utf8")).toBe("12");
  const failure = new Error("The task failed.");
  await expect(withFileLock(path, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await readdir(folder)).toEqual(["count"]);
});

test("a lock that a process left behind is broken once it has stayed the same for ten seconds", async () => {
  const folder = await makeTempDir();
  const path = join(folder, "file");
  const machine = createFakeMachine();
  await writeFile(`${path}.lock`, "left behind");
  let isDone = false;
  const task = async () => {
    isDone = true;
  };
  const done = withFileLock(path, task, machine);
  while (machine.pending === 0) await nextTurn();
  await machine.advance(9_000);
  expect(isDone).toBe(false);
  while (!isDone) {
    await machine.advance(1_000);
    await nextTurn();
  }
  await done;
  expect(await readdir(folder)).toEqual([]);
});
