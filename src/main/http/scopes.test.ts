import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAdjustableClock } from "#main/base";
import { upload } from "../service/testing/index.ts";
import { apiKey, json, readError, startTestServer, type TestServer, twoPrompts } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimit: true });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const idList = z.object({ data: z.array(z.object({ id: z.string() })) });
const loggedPaths = z.object({ data: z.array(z.object({ path: z.string(), scope: z.string() })) });

function clientIn(scope: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${server.url}/scope/${scope}/v1`, maxRetries: 0 });
}

async function listIds(path: string, scope: string): Promise<string[]> {
  const response = await server.request(path, { headers: { "x-sheaf-scope": scope } });
  return idList.parse(await response.json()).data.map(({ id }) => id);
}

function setFaults(scope: string, settings: object): Promise<Response> {
  const headers = { "content-type": "application/json", "x-sheaf-scope": scope };
  return server.request("/sheaf/faults", { method: "PUT", headers, body: JSON.stringify(settings) });
}

async function runBatch(client: OpenAI): Promise<OpenAI.Batch> {
  const file = await client.files.create({ file: new File([twoPrompts], "in.jsonl"), purpose: "batch" });
  const endpoint = "/v1/chat/completions";
  const { id } = await client.batches.create({ input_file_id: file.id, endpoint, completion_window: "24h" });
  await server.service.batches.settled(id);
  return await client.batches.retrieve(id);
}

const ask = (client: OpenAI, content: string) =>
  client.chat.completions.create({ model, messages: [{ role: "user", content }] });

test("twenty scopes at once each see only their own files, batches, rules, faults and requests", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `test-${at}`);
  await Promise.all(
    names.map(async (name, at) => {
      const client = clientIn(name);
      const fails = at % 2 === 1;
      const rule = {
        match: { last_user_message: "Who?" },
        replies: [{ text: `${name}, once` }, { text: `${name}, twice` }],
      };
      await server.request(`/scope/${name}/sheaf/rules`, { ...json({ rules: [rule] }), method: "PUT" });
      const who = async () => (await ask(client, "Who?")).choices[0]?.message.content;
      expect([await who(), await who()]).toEqual([`${name}, once`, `${name}, twice`]);
      await setFaults(name, fails ? { failure_rate: 1, statuses: [500 + at] } : {});
      const batch = await runBatch(client);
      const answer = await ask(client, name).then(
        () => 200,
        ({ status }: { status: number }) => status,
      );
      expect(answer).toBe(fails ? 500 + at : 200);
      expect(batch.request_counts).toMatchObject({ completed: fails ? 0 : 2, failed: fails ? 2 : 0 });
      expect(await listIds("/v1/batches", name)).toEqual([batch.id]);
      const files = [batch.input_file_id, batch.output_file_id ?? batch.error_file_id];
      expect((await listIds("/v1/files", name)).toSorted()).toEqual(files.toSorted());
    }),
  );
  for (const [at, name] of names.entries()) {
    const [batch = ""] = await listIds("/v1/batches", name);
    const other = clientIn(names[(at + 1) % names.length] ?? "");
    for (const attempt of [() => other.batches.retrieve(batch), () => other.batches.cancel(batch)]) {
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    }
    const [file = ""] = await listIds("/v1/files", name);
    for (const attempt of [
      () => other.files.retrieve(file),
      () => other.files.content(file),
      () => other.files.delete(file),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    const logged = loggedPaths.parse(await (await server.request(`/scope/${name}/sheaf/requests`)).json()).data;
    expect(logged.every(({ scope, path }) => scope === name && !path.includes("scope"))).toBe(true);
    expect(logged.filter(({ path }) => path === "/v1/chat/completions")).toHaveLength(3);
  }
  expect(await listIds("/v1/batches", "default")).toEqual([]);
  expect(await listIds("/sheaf/requests?path=/v1/chat", "default")).toEqual([]);
});

test("a batch can't be made from the file of another scope", async () => {
  const file = await clientIn("a").files.create({ file: new File([twoPrompts], "in.jsonl"), purpose: "batch" });
  const create = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  await expect(server.client.batches.create(create)).rejects.toMatchObject({ status: 404, param: "input_file_id" });
});

test("each scope has the rate limit for itself", async () => {
  const asked = async (scope: string) => {
    const headers = { "content-type": "application/json", "x-sheaf-scope": scope };
    const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
    const response = await server.request("/v1/chat/completions", { method: "POST", headers, body });
    await response.text();
    return response.headers.get("x-ratelimit-remaining-requests");
  };
  expect([await asked("first"), await asked("first"), await asked("second")]).toEqual(["59", "58", "59"]);
});

test("clearing the requests of a scope leaves those of the others", async () => {
  for (const name of ["kept", "cleared"]) await listIds("/v1/batches", name);
  await server.request("/scope/cleared/sheaf/requests", { method: "DELETE" });
  expect(await listIds("/sheaf/requests", "cleared")).toEqual([]);
  expect(await listIds("/sheaf/requests", "kept")).toHaveLength(1);
});

describe("a reset", () => {
  test("stops the batches of its scope at once, and leaves nothing of it but its name", async () => {
    const slow = await startTestServer({ pace: 600_000, clock: createAdjustableClock({ speed: 0 }) });
    const client = new OpenAI({ apiKey, baseURL: `${slow.url}/scope/busy/v1`, maxRetries: 0 });
    const file = await client.files.create({ file: new File([twoPrompts], "in.jsonl"), purpose: "batch" });
    const create = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    const kept = await slow.client.files.create({ file: new File([twoPrompts], "in.jsonl"), purpose: "batch" });
    for (let count = 0; count < 3; count++) await client.batches.create(create);
    const { id } = await clientIn("busy").responses.create({ model, input: "Hello" });
    await expect(server.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await server.request("/scope/busy/sheaf/reset", { method: "POST" });
    await expect(clientIn("busy").responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await slow.request("/scope/busy/sheaf/faults", { ...json({ failure_rate: 1 }), method: "PUT" });

    const reset = await slow.request("/scope/busy/sheaf/reset", { method: "POST" });
    expect(await reset.json()).toEqual({ object: "list", data: ["busy"] });
    expect((await client.batches.list()).data).toEqual([]);
    expect((await client.files.list()).data).toEqual([]);
    const faults = await slow.request("/scope/busy/sheaf/faults");
    expect(await faults.json()).toMatchObject({ failure_rate: 0 });
    expect((await slow.client.files.list()).data).toMatchObject([{ id: kept.id }]);

    for (let count = 0; count < 3; count++) await upload(slow.service.files, twoPrompts);
    const resets = [1, 2].map(() => slow.request("/sheaf/reset?all=true", { method: "POST" }));
    const [all, again] = await Promise.all(resets);
    expect([all?.status, again?.status]).toEqual([200, 200]);
    expect(await all?.json()).toEqual({ object: "list", data: ["busy", "default"] });
    expect((await slow.client.files.list()).data).toEqual([]);
    expect(slow.faults).toEqual([]);
    await slow.close();
  });

  test("is refused where data is kept, and changes nothing", async () => {
    const keeping = await startTestServer({ change: (service) => ({ ...service, isEphemeral: false }) });
    await keeping.request("/scope/full/sheaf/faults", { ...json({ latency_ms: 1 }), method: "PUT" });
    await keeping.request("/scope/full/sheaf/reset", { method: "POST" });
    expect(await (await keeping.request("/scope/full/sheaf/faults")).json()).toMatchObject({ latency_ms: 0 });

    const client = new OpenAI({ apiKey, baseURL: `${keeping.url}/scope/full/v1`, maxRetries: 0 });
    await client.files.create({ file: new File([twoPrompts], "in.jsonl"), purpose: "batch" });
    await keeping.request("/scope/full/sheaf/faults", { ...json({ latency_ms: 1 }), method: "PUT" });
    for (const path of ["/scope/full/sheaf/reset", "/sheaf/reset?all=true"]) {
      const error = await readError(await keeping.request(path, { method: "POST" }), 409);
      expect(error).toMatchObject({ code: "data_is_kept", message: expect.stringContaining("--ephemeral") });
    }
    expect((await client.files.list()).data).toHaveLength(1);
    expect(await (await keeping.request("/scope/full/sheaf/faults")).json()).toMatchObject({ latency_ms: 1 });
    await keeping.close();
  });
});

describe("the name of a scope", () => {
  test.each(["a b", "ä", "a".repeat(65), ""])("can't be %j", async (name) => {
    const path = `/scope/${encodeURIComponent(name)}/v1/models`;
    expect(await readError(await server.request(path), 400)).toMatchObject({ param: "x-sheaf-scope" });
  });

  test("is asked for after the key", async () => {
    await readError(await fetch(`${server.url}/scope/a b/v1/models`), 401);
  });

  test("is the 1,001st of none", async () => {
    const full = await startTestServer();
    const statuses = new Set<number>();
    for (let at = 1; at < 1_000; at++) statuses.add((await full.request(`/scope/s${at}/v1/models`)).status);
    expect([...statuses]).toEqual([200]);
    const error = await readError(await full.request("/scope/one-more/v1/models"), 400);
    expect(error.message).toContain("1,000 scopes");
    expect((await full.request("/scope/s999/v1/models")).status).toBe(200);
    await full.request("/scope/s1/sheaf/reset", { method: "POST" });
    expect((await full.request("/scope/one-more/v1/models")).status).toBe(200);
    await full.close();
  });
});
