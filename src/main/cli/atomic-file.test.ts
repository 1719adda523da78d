import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAtomicFile } from "./atomic-file.ts";

const said: string[] = [];
const stderr = new Writable({
  write(chunk: Buffer, _encoding, done) {
    said.push(chunk.toString());
    done();
  },
});
const create = (path: string) => createAtomicFile(path, { stderr });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-atomic-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the old file stays as it is until the new one is whole", async () => {
  const path = join(folder, "out.jsonl");
  await writeFile(path, "old");
  const file = await create(path);
  await file.write(Buffer.from("new"));
  expect(await readFile(path, "utf8")).toBe("old");
  await file.commit();
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(folder)).toEqual(["out.jsonl"]);
});

test("what was discarded leaves nothing behind", async () => {
  const file = await create(join(folder, "out.jsonl"));
  await file.write(Buffer.from("half"));
  await file.discard();
  expect(await readdir(folder)).toEqual([]);
});

test("what commands that ended left of the same output is removed and named; what one that runs writes stays", async () => {
  const path = join(folder, "out.jsonl");
  const open = await create(path);
  const [inUse = ""] = await readdir(folder);
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const left = [
    `.out.jsonl.${dead}.tmp`,
    inUse.replace(`-${process.pid}-`, `-${dead}-`),
    inUse.replace(/[0-9a-f]{8}\.tmp$/, "00000000.tmp"),
  ];
  const others = [
    `.out.jsonl.00000000-${dead}-00000000.tmp`,
    `.out.jsonl.${process.ppid}.tmp`,
    `.other.jsonl.${dead}.tmp`,
    "out.jsonl.1.tmp",
  ];
  for (const name of [...left, ...others]) await writeFile(join(folder, name), "half");
  const next = await create(path);
  await open.commit();
  await next.commit();
  expect((await readdir(folder)).toSorted()).toEqual([...others, "out.jsonl"].toSorted());
  for (const name of left) expect(said.join("")).toContain(`Removed ${name}, which`);
});

test("more than the stream buffers arrives in order", async () => {
  const path = join(folder, "out.jsonl");
  const file = await create(path);
  const lines = Array.from({ length: 2_000 }, (_, index) => `${index} ${"x".repeat(200)}\n`);
  for (const line of lines) await file.write(Buffer.from(line));
  await file.commit();
  expect(await readFile(path, "utf8")).toBe(lines.join(""));
});

test("what is no ordinary file is written to where it is", async () => {
  const file = await create("/dev/null");
  await file.write(Buffer.from("gone"));
  await file.commit();
  await expect(readFile("/dev/null", "utf8")).resolves.toBe("");
});

test("a folder that is not there is named", async () => {
  await expect(create(join(folder, "no", "out.jsonl"))).rejects.toThrow(
    `${join(folder, "no", "out.jsonl")}: there is no such file or folder.`,
  );
});
