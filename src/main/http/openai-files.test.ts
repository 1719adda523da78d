import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createManualClock } from "#main/base";
import { makeTempDir } from "../service/testing/index.ts";
import { createBatch, startTestServer, type TestServer, twoPrompts, upload } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dialect: "openai" });
});
afterAll(() => server.close());

describe("the official client", () => {
  test("uploads from a stream, waits for the file, reads it back and deletes it", async () => {
    const { files } = server.client;
    const path = join(await makeTempDir(), "from disk.jsonl");
    await writeFile(path, twoPrompts);
    const { id } = await files.create({ file: createReadStream(path), purpose: "batch" });
    const file = await files.waitForProcessing(id, { pollInterval: 1, maxWait: 5_000 });
    expect(file).toMatchObject({ filename: "from disk.jsonl", bytes: twoPrompts.length, status: "processed" });
    expect(await (await files.content(id)).text()).toBe(twoPrompts);
    expect(await files.delete(id)).toEqual({ id, object: "file", deleted: true });
    await expect(files.retrieve(id)).rejects.toMatchObject({ status: 404, param: "file_id" });
  });

  test("uploads a file that expires", async () => {
    const file = new File([twoPrompts], "a.jsonl");
    const expires_after = { anchor: "created_at", seconds: 7_200 } as const;
    const { created_at, expires_at } = await server.client.files.create({ file, purpose: "batch", expires_after });
    expect(expires_at).toBe(created_at + 7_200);
  });

  test("sends the deletion of a file in use once, although it would send a conflict again", async () => {
    const slow = await startTestServer({ pace: 60_000 });
    const batch = slow.service.batches.get(await createBatch(slow, twoPrompts));
    await slow.request("/sheaf/requests", { method: "DELETE" });
    const client = slow.client.withOptions({ maxRetries: 5 });
    await expect(client.files.delete(batch?.inputFileId ?? "")).rejects.toMatchObject({ status: 409 });
    expect(await (await slow.request("/sheaf/requests?status=409")).json()).toMatchObject({
      data: [{}],
      has_more: false,
    });
    await slow.close();
  });

  test("sees the status of a file whose content did not pass the check of a batch", async () => {
    const file = await server.client.files.create({
      file: await toFile(Buffer.from("no JSON\n"), "a.jsonl"),
      purpose: "batch",
    });
    expect(file.status).toBe("processed");
    const batch = await server.client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    await server.service.batches.settled(batch.id);
    expect(await server.client.files.retrieve(file.id)).toMatchObject({ status: "error" });
  });

  test("cancels a batch", async () => {
    const slow = await startTestServer({ dialect: "openai", pace: 60_000 });
    const id = await createBatch(slow, twoPrompts);
    expect(await slow.client.batches.cancel(id)).toMatchObject({ id, status: "cancelling" });
    await slow.close();
  });
});

describe("walking through 250 batches that were made in the same millisecond", () => {
  let many: TestServer;
  /** Newest first. */
  const ids: string[] = [];
  beforeAll(async () => {
    many = await startTestServer({ clock: createManualClock(), pace: 60_000 });
    const inputFileId = await upload(many, twoPrompts);
    for (let index = 0; index < 250; index++) ids.unshift((await create(inputFileId)).id);
  });
  afterAll(() => many.close());

  const create = (inputFileId: string) =>
    many.service.batches.create({ inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h" });

  test("shows each once, newest first", async () => {
    const seen: string[] = [];
    for await (const batch of many.client.batches.list({ limit: 30 })) seen.push(batch.id);
    expect(seen).toEqual(ids);
  });

  test("shows each once while new ones arrive", async () => {
    const [last] = many.service.files.list();
    const seen: string[] = [];
    for await (const batch of many.client.batches.list({ limit: 100 })) {
      seen.push(batch.id);
      if (seen.length % 50 === 0) await create(last?.id ?? "");
    }
    expect(seen).toEqual(ids);
  });
});
