import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../clock/index.ts";
import { createCountingIds } from "../ids/index.ts";
import { openStore } from "../store/index.ts";
import { readContent, upload } from "../testing/index.ts";
import { createFiles } from "./files.ts";

function openFiles(limit = 1_000) {
  const store = openStore({ ephemeral: true });
  onTestFinished(() => store.close());
  const clock = createManualClock();
  const files = createFiles({ store, clock, ids: createCountingIds(), limits: { bytes: limit, requests: 1 } });
  return { files, clock, onDisk: () => readdir(dirname(store.pathOf("any"))) };
}

async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

test("content is kept as it came, with its size and hash", async () => {
  const { files, clock } = openFiles();
  const pending = await files.receive(chunksOf("hello ", "", "world"));
  const sha256 = createHash("sha256").update("hello world").digest("hex");
  expect(pending).toMatchObject({ bytes: 11, sha256 });
  expect(files.list()).toEqual([]);

  const record = await pending.keep({ filename: "a.jsonl", purpose: "batch" });
  expect(record).toEqual({
    id: "file-1",
    filename: "a.jsonl",
    purpose: "batch",
    bytes: 11,
    sha256,
    createdAt: clock.now(),
  });
  expect(files.get("file-1")).toEqual(record);
  expect(await readContent(files.read("file-1"))).toBe("hello world");
});

test("content over the limit stops the upload, and nothing is kept", async () => {
  const { files, onDisk } = openFiles(10);
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      sent += 4;
      yield Buffer.alloc(4);
    }
  }
  await expect(files.receive(endless())).rejects.toMatchObject({ code: "file_too_large", status: 413, param: "file" });
  expect(sent).toBe(12);
  expect(await onDisk()).toEqual([]);
  await expect(files.receive(chunksOf("0123456789"))).resolves.toMatchObject({ bytes: 10 });
});

test("content that breaks off, or that is not wanted, leaves nothing behind", async () => {
  const { files, onDisk } = openFiles();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("half");
    throw new Error("connection lost");
  }
  await expect(files.receive(broken())).rejects.toThrow("connection lost");
  await (await files.receive(chunksOf("unwanted"))).discard();
  expect(await onDisk()).toEqual([]);
  expect(files.list()).toEqual([]);
});

test("a part of the content can be read", async () => {
  const { files } = openFiles();
  const { id } = await upload(files, "0123456789");
  expect(await readContent(files.read(id, { start: 2, end: 5 }))).toBe("234");
  expect(await readContent(files.read(id, { start: 8, end: 50 }))).toBe("89");
  expect(await readContent(files.read(id, { start: 10, end: 20 }))).toBe("");
});

test("an empty file can be read", async () => {
  const { files } = openFiles();
  const { id } = await upload(files, "");
  expect(await readContent(files.read(id))).toBe("");
});

test("an unknown file is not found", () => {
  const { files } = openFiles();
  expect(files.get("../journal.jsonl")).toBeUndefined();
  expect(() => files.read("file-9")).toThrow("No such file: file-9.");
});

test("files are listed with the newest first", async () => {
  const { files } = openFiles();
  for (const content of ["a", "b", "c"]) await upload(files, content);
  expect(files.list().map(({ id }) => id)).toEqual(["file-3", "file-2", "file-1"]);
});
