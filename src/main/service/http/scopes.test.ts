import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { apiKey, readError, startTestServer, type TestServer, twoPrompts } from "./test-server.ts";

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

test("twenty scopes at once each see only their own files, batches, faults and requests", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `test-${at}`);
  await Promise.all(
    names.map(async (name, at) => {
      const client = clientIn(name);
      const fails = at % 2 === 1;
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
    expect(logged.filter(({ path }) => path === "/v1/chat/completions")).toHaveLength(1);
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
    await full.close();
  });
});
