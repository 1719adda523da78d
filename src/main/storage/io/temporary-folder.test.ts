import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTemporaryFolder, removeDeadFolders } from "./temporary-folder.ts";

test("folders of processes that ended are removed, with what is in them, and no other", async () => {
  const own = makeTemporaryFolder();
  const { pid: dead = 0 } = spawnSync(process.execPath, ["--version"]);
  const nameOf = (name: string, pid: number) =>
    join(dirname(own), basename(own).replace(`-${process.pid}-`, `-${pid}-`) + name);
  const [left, running, elsewhere] = [
    nameOf("", dead),
    nameOf("", process.ppid),
    nameOf("", dead).replace(/sheaf-\w{8}/, "sheaf-00000000"),
  ];
  for (const folder of [left, running, elsewhere]) mkdirSync(folder);
  writeFileSync(join(left, "answers.jsonl"), "{}");
  onTestFinished(() => {
    for (const folder of [own, left, running, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });
  expect(await removeDeadFolders()).toContain(basename(left));
  expect([left, own, running, elsewhere].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
});
