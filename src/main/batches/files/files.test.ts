import { createHash } from "node:crypto";
import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock, createSystemMachine } from "#main/base";
import { openStore } from "#main/storage";
import { createCountingIds } from "../../base/ids.ts";
import { createSilentLogger } from "../../base/logger.ts";
import {
  createManualEngine,
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  upload,
} from "../../service/testing/index.ts";
import { startFileExpiry } from "./file-expiry.ts";
import { createFiles } from "./files.ts";

async function openFiles(limit = 1_000) {
  const store = await openStore({ ephemeral: true }, { logger: createSilentLogger(), machine: createSystemMachine() });
  onTestFinished(() => store.close());
  const clock = createManualClock();
  const expiry = startFileExpiry({ store, clock, logger: createSilentLogger() });
  const limits = { bytes: limit, requests: 1, lineBytes: limit };
  const parts = { store, clock, ids: createCountingIds(), limits, generatedLimits: limits };
  const files = createFiles({ ...parts, completeLedger: async () => {}, onStored: expiry.watch });
  return { files, clock, pathOf: store.pathOf, onDisk: () => readdir(dirname(store.pathOf("any"))) };
}

async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

test("content is kept as it came, with its size and hash", async () => {
  const { files, clock } = await openFiles();
  const pending = await files.receive(chunksOf("hello ", "", "world"));
  const sha256 = createHash("sha256").update("hello world").digest("hex");
  expect(pending).toMatchObject({ bytes: 11, sha256 });
  expect(files.list()).toEqual([]);

  const record = await pending.store({ filename: "a.jsonl", purpose: "batch" });
  expect(record).toEqual({
    id: "file-1",
    filename: "a.jsonl",
    purpose: "batch",
    bytes: 11,
    sha256,
    createdAt: clock.now(),
    expiresAt: null,
    faulty: false,
    connection: null,
    generated: false,
    scope: "default",
    vendor: "openai",
    mimeType: null,
  });
  expect(files.get("file-1")).toEqual(record);
  expect(await readContent(files.read("file-1"))).toBe("hello world");
});

test("content over the limit stops the upload, and nothing is kept", async () => {
  const { files, onDisk } = await openFiles(10);
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
  const { files, onDisk } = await openFiles();
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
  const { files } = await openFiles();
  const { id } = await upload(files, "0123456789");
  expect(await readContent(files.read(id, { start: 2, end: 5 }))).toBe("234");
  expect(await readContent(files.read(id, { start: 8, end: 50 }))).toBe("89");
  expect(await readContent(files.read(id, { start: 10, end: 20 }))).toBe("");
});

test("an empty file can be read", async () => {
  const { files } = await openFiles();
  const { id } = await upload(files, "");
  expect(await readContent(files.read(id))).toBe("");
});

test("content that is lost, or cut, is refused before the first byte", async () => {
  const { files, pathOf } = await openFiles();
  const { id } = await upload(files, "0123456789");
  await truncate(pathOf(id), 4);
  const lost = { code: "not_found", message: `The content of file ${id} is no longer on disk.` };
  await expect(files.read(id)).rejects.toMatchObject(lost);
  await expect(files.read(id, { start: 1, end: 4 })).rejects.toMatchObject({ code: "file_damaged" });
  await rm(pathOf(id));
  await expect(files.read(id)).rejects.toMatchObject(lost);
});

test("content has its file's name when it is whole, and not before", async () => {
  const { files, onDisk } = await openFiles();
  const pending = await files.receive(chunksOf("x"));
  expect(await onDisk()).toEqual(["file-1.part"]);
  await pending.store({ filename: "a.jsonl", purpose: "batch" });
  expect(await onDisk()).toEqual(["file-1"]);
});

test("content that is damaged is refused, all of it and each part, also where it was sound before", async () => {
  const { files, pathOf } = await openFiles();
  const { id } = await (await files.receive(chunksOf("content"))).store({ filename: "a", purpose: "batch" });
  expect(await readContent(files.read(id))).toBe("content");
  expect(await readContent(files.read(id, { start: 1, end: 3 }))).toBe("on");
  await writeFile(pathOf(id), "contend");
  for (const range of [undefined, { start: 1, end: 3 }]) {
    await expect(files.read(id, range)).rejects.toMatchObject({ code: "file_damaged" });
  }
});

test("an unknown file is not found", async () => {
  const { files } = await openFiles();
  expect(files.get("../journal.jsonl")).toBeUndefined();
  await expect(files.read("file-9")).rejects.toThrow("No such file: file-9.");
});

test("files are listed with the newest first", async () => {
  const { files } = await openFiles();
  for (const content of ["a", "b", "c"]) await upload(files, content);
  expect(files.list().map(({ id }) => id)).toEqual(["file-3", "file-2", "file-1"]);
});

test("a removed file is gone, from disk too, and stays so after a restart", async () => {
  const dataDir = await makeTempDir();
  const service = await openTestService({ dataDir });
  const { id } = await upload(service.files, "gone soon");
  await service.files.remove(id);
  expect(service.files.get(id)).toBeUndefined();
  expect(await readdir(join(dataDir, "files"))).toEqual([]);
  await expect(service.files.remove(id)).rejects.toMatchObject({ code: "not_found" });
  await service.close(0);
  expect((await openTestService({ dataDir })).files.list()).toEqual([]);
});

test("a file that a running batch reads or writes can't be removed; when the batch has ended, it can", async () => {
  const engine = createManualEngine(1);
  const service = await openTestService({ engine });
  const { id, inputFileId } = await service.submit(fileOf(2));
  await engine.arrived(1);
  engine.release(1);
  await engine.arrived(1);
  await expect.poll(() => service.batches.get(id)?.outputFileId, { interval: 5 }).not.toBeNull();
  const { outputFileId } = service.batches.get(id) ?? {};
  for (const fileId of [inputFileId, outputFileId ?? ""]) {
    const refusal = { code: "file_in_use", status: 409, message: expect.stringContaining(id) };
    await expect(service.files.remove(fileId)).rejects.toMatchObject(refusal);
  }
  engine.release(1);
  await service.batches.settled(id);
  await service.files.remove(inputFileId);
  await service.files.remove(outputFileId ?? "");
  expect(service.files.list()).toEqual([]);
  await expect(service.results.page(id, 0, 1)).rejects.toThrow(/The input file of batch .* has been deleted\./);
});

test("a file with a lifetime is gone at its end, to the millisecond", async () => {
  const service = await openTestService();
  const pending = await service.files.receive(chunksOf("x"));
  const { id, expiresAt } = await pending.store({ filename: "a", purpose: "batch", lifetime: 3_600_000 });
  expect(expiresAt).toBe(service.clock.now() + 3_600_000);
  await service.clock.advance(3_599_999);
  expect(service.files.get(id)).toBeDefined();
  await service.clock.advance(1);
  expect(service.files.get(id)).toBeUndefined();
});

test("what expired while nothing ran is gone at the next start", async () => {
  const dataDir = await makeTempDir();
  const clock = createManualClock();
  const before = await openTestService({ dataDir, clock });
  const pending = await before.files.receive(chunksOf("x"));
  const { id } = await pending.store({ filename: "a", purpose: "batch", lifetime: 3_600_000 });
  await before.close(0);
  expect(clock.pending).toBe(0);
  await clock.advance(3_600_000);
  const after = await openTestService({ dataDir, clock });
  await clock.advance(0);
  expect(after.files.get(id)).toBeUndefined();
});

test("a file that expires while a batch runs on it stays until the batch has ended", async () => {
  const engine = createManualEngine(1);
  const service = await openTestService({ engine });
  const pending = await service.files.receive(chunksOf(fileOf(1)));
  const { id } = await pending.store({ filename: "a", purpose: "batch", lifetime: 3_600_000 });
  const wanted = { endpoint: "/v1/chat/completions", completionWindow: "24h" };
  const batch = await service.batches.create({ inputFileId: id, ...wanted });
  await engine.arrived(1);
  await service.clock.advance(3_600_000);
  expect(service.files.get(id)).toBeDefined();
  engine.release();
  expect(await service.batches.settled(batch.id)).toMatchObject({ status: "completed" });
  await service.clock.advance(60_000);
  expect(service.files.get(id)).toBeUndefined();
});
