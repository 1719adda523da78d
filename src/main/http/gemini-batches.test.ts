import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError, type BatchJob, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { createAdjustableClock } from "#main/base";
import { createFakeMachine, makeTempDir } from "../service/testing/index.ts";
import { apiKey, createBatch, json, startTestServer, type TestServer, twoPrompts } from "./testing/test-server.ts";

const model = "gemini-3-flash";
const ask = (text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });
const toJsonl = (lines: readonly object[]) => new Blob(lines.map((line) => `${JSON.stringify(line)}\n`));
const two = [
  { key: "first", request: ask("What is 2 + 2?") },
  { key: "second", request: { ...ask("What is 3 + 3?"), generation_config: { max_output_tokens: 5 } } },
];

let server: TestServer;
let client: GoogleGenAI;
beforeAll(async () => {
  server = await startTestServer({ clock: createAdjustableClock({ speed: 0 }) });
  client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
});
afterAll(() => server.close());
beforeEach(() => server.service.faults.clear());

async function end({ name = "" }: BatchJob): Promise<BatchJob> {
  await server.service.batches.settled(name.replace("batches/", "batch_"));
  return client.batches.get({ name });
}

const setFaults = (faults: object) =>
  server.service.faults.set({ ...server.service.faults.settings, targets: ["lines"], ...faults });

const lineSchema = z.object({ key: z.string(), response: z.unknown().optional(), error: z.unknown().optional() });

async function readResults(fileName = ""): Promise<Map<string, z.infer<typeof lineSchema>>> {
  const downloadPath = join(await makeTempDir(), "results.jsonl");
  await client.files.download({ file: fileName, downloadPath });
  const lines = (await readFile(downloadPath, "utf8")).trimEnd().split("\n");
  return new Map(lines.map((line) => lineSchema.parse(JSON.parse(line))).map((line) => [line.key, line]));
}

async function upload(content: Blob, displayName = "questions"): Promise<string> {
  const { name = "" } = await client.files.upload({
    file: content,
    config: { displayName, mimeType: "application/jsonl" },
  });
  return name;
}

async function statusOf(call: Promise<unknown>): Promise<number> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw error;
  return error.status;
}

describe("Gemini's files", () => {
  it("are uploaded by its client, in pieces too, read, listed, downloaded and deleted", async () => {
    const file = await client.files.upload({
      file: toJsonl(two),
      config: { displayName: "questions", mimeType: "application/jsonl" },
    });
    const { name = "" } = file;
    expect(file).toMatchObject({
      name: expect.stringMatching(/^files\/\w+$/),
      displayName: "questions",
      mimeType: "application/jsonl",
      state: "ACTIVE",
      sizeBytes: String(toJsonl(two).size),
      uri: `${server.url}/v1beta/${name}`,
    });
    expect(await client.files.get({ name })).toMatchObject({ name, expirationTime: expect.any(String) });
    const second = await upload(new Blob(["x".repeat(9_000_000)]), "large");
    const listed = await Array.fromAsync(await client.files.list({ config: { pageSize: 1 } }), (one) => one.name);
    expect(listed).toEqual([second, name]);
    const content = await server.request(`/download/v1beta/${name}:download?alt=media`);
    expect(await content.text()).toBe(await toJsonl(two).text());
    // Deleting while paging leaves nothing out.
    const deleted: string[] = [];
    for await (const { name: one = "" } of await client.files.list({ config: { pageSize: 1 } })) {
      await client.files.delete({ name: one });
      deleted.push(one);
    }
    expect(deleted).toEqual(listed);
    expect(await statusOf(client.files.get({ name }))).toBe(404);
    const misread = await server.request("/v1beta/files?pageToken=files/none");
    expect([misread.status, await misread.text()]).toEqual([400, expect.stringContaining("No list has the pageToken")]);
    expect((await server.request("/v1beta/files?pageToken=")).status).toBe(200);
  });

  it("expire after 48 hours of the clock", async () => {
    const name = await upload(toJsonl(two));
    await server.request("/sheaf/clock", json({ advance: "49h" }));
    expect(await statusOf(client.files.get({ name }))).toBe(404);
  });

  it("are not taken at a wrong offset, or by an address that is none", async () => {
    const start = await server.request("/upload/v1beta/files", {
      method: "POST",
      headers: { "x-goog-upload-command": "start", "x-goog-upload-protocol": "resumable" },
    });
    const address = start.headers.get("x-goog-upload-url") ?? "";
    const send = (url: string, offset: number, command = "upload") =>
      fetch(url, {
        method: "POST",
        body: "x",
        headers: { "x-goog-upload-command": command, "x-goog-upload-offset": `${offset}` },
      });
    expect((await send(address, 5)).status).toBe(400);
    expect((await send(address, 0)).status).toBe(200);
    expect((await send(address, 1, "rewind")).status).toBe(400);
    expect(await (await send(address, 1, "finalize")).json()).toMatchObject({ file: { sizeBytes: "1" } });
    expect((await send(address, 1)).status).toBe(403);
    // Without a key, only the address that an upload was given is open.
    expect((await send(`${server.url}/upload/v1beta/files?upload_id=guess`, 0)).status).toBe(403);
    expect((await server.request("/upload/v1beta/files?upload_id=guess", { method: "POST" })).status).toBe(404);
  });
});

test("an upload whose client does not come back is given up after 15 minutes, and nothing of it stays", async () => {
  const machine = createFakeMachine();
  const own = await startTestServer({ change: (service) => ({ ...service, machine }) });
  const start = await own.request("/upload/v1beta/files", {
    method: "POST",
    headers: { "x-goog-upload-command": "start", "x-goog-upload-protocol": "resumable" },
  });
  const address = (start.headers.get("x-goog-upload-url") ?? "").replace(own.url, "");
  const send = (offset: number, command: string) =>
    own.request(address, {
      method: "POST",
      body: "x",
      headers: { "x-goog-upload-command": command, "x-goog-upload-offset": `${offset}` },
    });
  await machine.advance(14 * 60_000);
  expect((await send(0, "upload")).status).toBe(200);
  await machine.advance(16 * 60_000);
  expect((await send(1, "upload, finalize")).status).toBe(404);
  expect(own.service.files.list()).toEqual([]);
  await own.close();
});

describe("batches, asked by Gemini's client", () => {
  it("of a file answer with a file, each key with its response", async () => {
    const src = await upload(toJsonl(two));
    const created = await client.batches.create({ model, src, config: { displayName: "numbers" } });
    expect(created).toMatchObject({ displayName: "numbers", model: `models/${model}`, state: "JOB_STATE_PENDING" });
    const ended = await end(created);
    expect(ended).toMatchObject({ state: "JOB_STATE_SUCCEEDED", endTime: expect.any(String) });
    const results = await readResults(ended.dest?.fileName);
    const direct = await client.models.generateContent({ model, contents: "What is 2 + 2?" });
    expect(results.get("first")?.response).toMatchObject({ candidates: direct.candidates, modelVersion: model });
    expect(results.get("second")?.response).toMatchObject({ candidates: [{ finishReason: "MAX_TOKENS" }] });
    expect(results.size).toBe(2);
  });

  it("of a list answer in its order, with the metadata of each", async () => {
    const src = ["one", "two", "three"].map((word) => ({ ...ask(`Say ${word}.`), metadata: { word } }));
    const ended = await end(await client.batches.create({ model, src }));
    const responses = ended.dest?.inlinedResponses ?? [];
    expect(responses.map(({ metadata }) => metadata)).toEqual(src.map(({ metadata }) => metadata));
    const direct = await client.models.generateContent({ model, contents: "Say two." });
    expect(responses[1]?.response?.candidates).toEqual(direct.candidates);
  });

  it("say of each request that failed, was cancelled or expired what came of it", async () => {
    setFaults({ failure_rate: 1, statuses: [429] });
    const failed = await end(await client.batches.create({ model, src: [ask("Hi")] }));
    expect(failed.dest?.inlinedResponses).toMatchObject([{ error: { code: 8, status: "RESOURCE_EXHAUSTED" } }]);

    setFaults({ stuck_in: ["validating"] });
    const cancelled = await client.batches.create({ model, src: await upload(toJsonl(two)) });
    const { name = "" } = cancelled;
    expect(await statusOf(client.batches.delete({ name }))).toBe(409);
    await client.batches.cancel({ name });
    const over = await end(cancelled);
    expect(over.state).toBe("JOB_STATE_CANCELLED");
    expect((await readResults(over.dest?.fileName)).get("second")?.error).toMatchObject({
      code: 1,
      status: "CANCELLED",
    });
    await client.batches.delete({ name });
    expect(await statusOf(client.batches.get({ name }))).toBe(404);

    setFaults({ stuck_in: ["validating"] });
    const expired = await client.batches.create({ model, src: [ask("Hi")] });
    await server.request("/sheaf/clock", json({ advance: "25h" }));
    expect(await end(expired)).toMatchObject({
      state: "JOB_STATE_EXPIRED",
      dest: { inlinedResponses: [{ error: { code: 4 } }] },
    });
  });

  it("are refused with the place of what can't be run", async () => {
    const cases: [object[], string][] = [
      [
        [two[0] ?? {}, { key: "bad", request: { ...ask("Hi"), tools: [{ google_search: {} }] } }],
        "line 2: request.tools[0].googleSearch",
      ],
      [[two[0] ?? {}, two[0] ?? {}], "line 2: the key 'first'"],
      [[{ request: ask("Hi") }], "line 1: key is missing"],
      [[], "no request"],
    ];
    for (const [lines, place] of cases) {
      const src = await upload(lines.length > 0 ? toJsonl(lines) : new Blob(["\n"]));
      await expect(client.batches.create({ model, src })).rejects.toThrow(place);
    }
    await expect(client.batches.create({ model, src: "files/nowhere" })).rejects.toThrow("files/nowhere");
    const list = [ask("Hi"), { ...ask("Hi"), config: { temperature: 5 } }];
    await expect(client.batches.create({ model, src: list })).rejects.toThrow(
      "requests[1].request.generationConfig.temperature",
    );
  });

  it("are listed, and seen by the vendor's clients alone", async () => {
    const scoped = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${server.url}/scope/gemini-list` } });
    const names: string[] = [];
    for (let count = 0; count < 3; count++)
      names.push((await scoped.batches.create({ model, src: [ask("Hi")] })).name ?? "");
    const listed = await Array.fromAsync(await scoped.batches.list({ config: { pageSize: 2 } }), ({ name }) => name);
    expect(listed).toEqual(names.toReversed());
    expect(await Array.fromAsync(await scoped.files.list())).toEqual([]);

    const other = await createBatch(server, twoPrompts);
    const own = await Array.fromAsync(await client.batches.list(), ({ name }) => name);
    expect(own).not.toContain(other.replace("batch_", "batches/"));
    const file = await upload(toJsonl(two));
    const files = z.object({ data: z.array(z.object({ id: z.string() })) });
    const seen = files.parse(await (await server.request("/v1/files")).json()).data;
    expect(seen.map(({ id }) => id)).not.toContain(file.replace("files/", "file-"));
  });
});
