import { safe } from "@orpc/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileReport, sourceChunkBytes } from "#contract";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

let fixture: AppFixture;
let client: RpcClient;
beforeEach(async () => {
  fixture = await openApp();
  client = connectPort(fixture.app).client;
});
afterEach(() => fixture.close());

const request = (id: number, body: object = {}) =>
  JSON.stringify({
    custom_id: `q${id}`,
    method: "POST",
    url: "/v1/chat/completions",
    body: {
      model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
      messages: [{ role: "user", content: "Why?" }],
      ...body,
    },
  });

async function send(text: string): Promise<{ id: string; report: FileReport }> {
  const content = Buffer.from(text);
  const { id } = await client.files.begin({ bytes: content.length });
  for (let offset = 0; offset < content.length; offset += sourceChunkBytes) {
    await client.files.append({ id, offset, chunk: new Blob([content.subarray(offset, offset + sourceChunkBytes)]) });
  }
  for await (const event of await client.files.check({ id })) {
    if (event.phase === "checked") return { id, report: event.report };
  }
  throw new Error("The check ended without a result.");
}

describe("files", () => {
  it("are checked before they are stored, listed with the batches that need them, read, saved and deleted", async () => {
    const faulty = await send(`${request(1)}\n{"custom_id":\n${request(1, { stream: true })}\n`);
    expect(faulty.report).toMatchObject({ requests: 3, faultyLines: 2 });
    expect(faulty.report.groups.map(({ code }) => code)).toContain("invalid_json_line");
    await client.files.discard({ id: faulty.id });
    expect((await safe(client.files.store({ id: faulty.id, filename: "x.jsonl" }))).error).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await client.files.list()).toEqual([]);

    const long = request(3, { user: "u".repeat(5_000) });
    const { id, report } = await send(`${request(1)}\n${request(2)}\n${long}\n`);
    expect(report).toMatchObject({ requests: 3, errorCount: 0 });
    const file = await client.files.store({ id, filename: "three.jsonl" });
    expect(file).toMatchObject({ filename: "three.jsonl", purpose: "batch", batches: [] });
    const { lines, hasMore } = await client.files.head({ id: file.id });
    expect(lines.slice(0, 2)).toEqual([request(1), request(2)]);
    expect(lines[2]).toMatch(/^.{2000}…$/);
    expect(hasMore).toBe(false);

    const { batches } = fixture.service;
    const batch = await batches.create({
      inputFileId: file.id,
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
      metadata: { name: "Three" },
    });
    await batches.settled(batch.id);
    const listed = await client.files.list();
    expect(listed.map(({ purpose }) => purpose).toSorted()).toEqual(["batch", "batch_output"]);
    for (const { batches: users } of listed) expect(users).toMatchObject([{ name: "Three", hasEnded: true }]);

    expect(await client.exports.begin({ what: "file", fileId: file.id })).toMatchObject({
      how: "link",
      fileName: "three.jsonl",
    });
    await client.files.remove({ id: file.id });
    expect((await client.files.list()).map(({ purpose }) => purpose)).toEqual(["batch_output"]);
    expect((await safe(client.files.head({ id: file.id }))).error).toMatchObject({ code: "NOT_FOUND" });
  });

  it("of trials are not listed, as trials are not", async () => {
    const { id } = await send(`${request(1)}\n`);
    const { id: inputFileId } = await client.files.store({ id, filename: "trial.jsonl" });
    const { batches, files } = fixture.service;
    const trial = await batches.create({
      inputFileId,
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
      link: { kind: "trial", root: "draft_1" },
    });
    await batches.settled(trial.id);
    expect(files.list()).toHaveLength(2);
    expect(await client.files.list()).toEqual([]);
  });

  it("that are too large are refused before anything is sent", async () => {
    const { error } = await safe(client.files.begin({ bytes: 300_000_000 }));
    expect(error).toMatchObject({ code: "REFUSED", message: expect.stringContaining("200 MB") });
  });
});
