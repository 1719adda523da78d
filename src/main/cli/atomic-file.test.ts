import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAtomicFile } from "./atomic-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-atomic-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the old file stays as it is until the new one is whole", async () => {
  const path = join(folder, "out.jsonl");
  await writeFile(path, "old");
  const file = await createAtomicFile(path);
  await file.write(Buffer.from("new"));
  expect(await readFile(path, "utf8")).toBe("old");
  await file.commit();
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(folder)).toEqual(["out.jsonl"]);
});

test("what was discarded leaves nothing behind", async () => {
  const file = await createAtomicFile(join(folder, "out.jsonl"));
  await file.write(Buffer.from("half"));
  await file.discard();
  expect(await readdir(folder)).toEqual([]);
});

test("more than the stream buffers arrives in order", async () => {
  const path = join(folder, "out.jsonl");
  const file = await createAtomicFile(path);
  const lines = Array.from({ length: 2_000 }, (_, index) => `${index} ${"x".repeat(200)}\n`);
  for (const line of lines) await file.write(Buffer.from(line));
  await file.commit();
  expect(await readFile(path, "utf8")).toBe(lines.join(""));
});

test("what is no ordinary file is written to where it is", async () => {
  const file = await createAtomicFile("/dev/null");
  await file.write(Buffer.from("gone"));
  await file.commit();
  await expect(readFile("/dev/null", "utf8")).resolves.toBe("");
});

test("a folder that is not there is named", async () => {
  await expect(createAtomicFile(join(folder, "no", "out.jsonl"))).rejects.toThrow(
    `${join(folder, "no", "out.jsonl")}: there is no such file or folder.`,
  );
});
