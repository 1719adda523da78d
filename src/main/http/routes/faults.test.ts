import { setImmediate as nextTurn } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { faultSettingsSchema, faultsInForceSchema, loggedRequestSchema } from "#contract";
import { createAdjustableClock } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import {
  apiKey,
  json,
  readError,
  startTestServer,
  type TestServer,
  twoPrompts,
  upload,
} from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.service.faults.clear());
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const put = (settings: unknown) => server.request("/sheaf/faults", { ...json(settings), method: "PUT" });

async function readSettings(response: Response) {
  expect(response.status).toBe(200);
  return faultSettingsSchema.parse(await response.json());
}

describe("/sheaf/faults", () => {
  test("tells the faults, replaces them all, and switches them off", async () => {
    const off = await readSettings(await server.request("/sheaf/faults"));
    expect(off).toMatchObject({ failure_rate: 0, statuses: [500], latency_ms: 0, stuck_in: [], expire_after: null });
    const settings = { failure_rate: 0.05, statuses: [500, 503], latency_ms: 20, stuck_in: ["cancelling"] };
    expect(await readSettings(await put(settings))).toEqual({ ...off, ...settings });
    expect(await readSettings(await put({ drop_rate: 0.1 }))).toEqual({ ...off, drop_rate: 0.1 });
    expect(await readSettings(await server.request("/sheaf/faults"))).toEqual({ ...off, drop_rate: 0.1 });
    expect(await readSettings(await server.request("/sheaf/faults", { method: "DELETE" }))).toEqual(off);
    expect(await readSettings(await server.request("/sheaf/faults"))).toEqual(off);
  });

  test("needs the key", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      await readError(await fetch(`${server.url}/sheaf/faults`, { method }), 401);
    }
  });

  test.each([
    [{ failure_rate: 2 }, "failure_rate", "a value <= 1"],
    [{ failure_rate: "high" }, "failure_rate", "expected a number"],
    [{ statuses: [500, 200] }, "statuses[1]", "a value >= 400"],
    [{ stuck_in: ["completed"] }, "stuck_in[0]", "'validating', 'cancelling'"],
    [{ failure_rte: 0.1 }, "failure_rte", "Unknown parameter: 'failure_rte'."],
    [{ failure_rate: 0.7, drop_rate: 0.7 }, null, "add up to more than 1"],
    ["[]", null, "expected an object"],
  ])("says what is wrong with %j, and changes nothing", async (settings, param, words) => {
    await put({ latency_ms: 7 });
    const error = await readError(await put(settings), 400);
    expect(error.param).toBe(param);
    expect(error.message).toContain(words);
    expect(await readSettings(await server.request("/sheaf/faults"))).toMatchObject({ latency_ms: 7 });
  });
});

describe("requests over HTTP", () => {
  test("fail with one of the statuses in the shape of every error, until the faults are off", async () => {
    await put({ failure_rate: 1, statuses: [503], targets: ["batches"] });
    const error = await readError(await server.request("/v1/batches"), 503);
    expect(error).toMatchObject({ type: "server_error", code: "injected_fault" });
    expect((await server.request("/v1/models")).status).toBe(200);
    await server.request("/sheaf/faults", { method: "DELETE" });
    expect((await server.request("/v1/batches")).status).toBe(200);
  });

  test("are refused with 429 and retry-after", async () => {
    await put({ rate_limit_rate: 1, retry_after: 3, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await readError(response, 429)).toMatchObject({ type: "rate_limit_error", code: "rate_limit_exceeded" });
  });

  test("take as much longer as they are told", async () => {
    const machine = createFakeMachine();
    const slow = await startTestServer({ clock: createAdjustableClock({ machine }) });
    onTestFinished(() => slow.close());
    const faults = { latency_ms: 150, targets: ["models"] };
    await slow.request("/sheaf/faults", { ...json(faults), method: "PUT" });
    const others = machine.pending;
    const asked = slow.request("/v1/models");
    while (machine.pending === others) await nextTurn();
    await machine.advance(149);
    expect(machine.pending, "it still waits").toBe(others + 1);
    await machine.advance(1);
    expect((await asked).status).toBe(200);
  });

  test("lose their connection in the middle of the answer", async () => {
    const whole = await (await server.request("/v1/models")).text();
    await put({ drop_rate: 1, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(whole)));
    let received = "";
    const reading = (async () => {
      for await (const piece of response.body ?? []) received += Buffer.from(piece).toString();
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
  });

  test("lose it in a download, too", async () => {
    const id = await upload(server, twoPrompts);
    await put({ drop_rate: 1, targets: ["files"] });
    await expect(server.request(`/v1/files/${id}/content`).then((response) => response.text())).rejects.toThrow();
  });

  test("get half of a JSON in a whole answer", async () => {
    const whole = await (await server.request("/v1/models")).text();
    await put({ malformed_rate: 1, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(await response.text()).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("meet the same faults each time the same are set", async () => {
    const settings = { failure_rate: 0.5, statuses: [500, 502, 503], targets: ["models"] };
    const ask = async () => {
      await put(settings);
      const statuses = [];
      for (let call = 0; call < 20; call++) statuses.push((await server.request("/v1/models")).status);
      return statuses;
    };
    const first = await ask();
    expect(new Set(first).size).toBe(4);
    expect(await ask()).toEqual(first);
  });
});

describe("chat completions", () => {
  const body = {
    model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    messages: [{ role: "user" as const, content: "Hi" }],
  };

  async function readStream(): Promise<number> {
    let chunks = 0;
    for await (const _ of await server.client.chat.completions.create({ ...body, stream: true })) chunks += 1;
    return chunks;
  }

  test.each(["drop_rate", "malformed_rate"])(
    "break in the middle of a stream at %s 1, which the client notices",
    async (field) => {
      expect(await readStream()).toBeGreaterThan(10);
      await put({ [field]: 1 });
      await expect(readStream()).rejects.toThrow();
      await expect(server.client.chat.completions.create(body)).rejects.toThrow();
    },
  );

  test("get through by the official client's own retries", async () => {
    await put({
      failure_rate: 0.3,
      statuses: [500, 503],
      rate_limit_rate: 0.2,
      retry_after: 0,
      seed: 3,
    });
    const client = server.client.withOptions({ maxRetries: 10 });
    for (let call = 0; call < 3; call++) {
      expect((await client.chat.completions.create(body)).choices).toHaveLength(1);
    }
  });

  test("fail before they count against the tier's limits", async () => {
    const limited = await startTestServer({ rateLimit: true, tier: "free" });
    try {
      limited.service.faults.set(faultSettingsSchema.parse({ failure_rate: 1 }));
      for (let call = 0; call < 3; call++) {
        await readError(await limited.request("/v1/chat/completions", json(body)), 500);
      }
      limited.service.faults.clear();
      expect((await limited.request("/v1/chat/completions", json(body))).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

/** As OpenAI's client reports it: the cause is fetch's error, and its cause that of the connection. */
const wasReset = { name: "Error", cause: { cause: { code: "ECONNRESET" } } };

describe("faults by count", () => {
  const add = (counts: unknown, scope = "default") => server.request(`/scope/${scope}/sheaf/faults`, json({ counts }));
  const listLeft = async () =>
    (await readSettings(await server.request("/sheaf/faults"))).counts.map(({ target, left }) => [target, left]);
  const statusOf = async (asked: Promise<unknown>) => {
    try {
      await asked;
      return 200;
    } catch (error) {
      return z.looseObject({ status: z.number() }).parse(error).status;
    }
  };
  const inTurn = async (ask: () => Promise<unknown>, times = 3) => {
    const statuses: number[] = [];
    for (let call = 0; call < times; call++) statuses.push(await statusOf(ask()));
    return statuses;
  };
  const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions" };
  const messages = [{ role: "user" as const, content: "Hi" }];
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

  test("fail the first uploads, creates, polls, downloads and chats of OpenAI's client, and show what is left", async () => {
    const { files, batches, chat, models } = server.client;
    const targets = ["uploads", "creates", "polls", "downloads", "chat", "models"];
    await put({ latency_ms: 1, targets: ["batches"] });
    await add(targets.map((target) => ({ target, first: 2, status: 503 })));
    const file = () => new File([JSON.stringify({ ...line, body: { model, messages } })], "a.jsonl");
    expect(await inTurn(() => files.create({ file: file(), purpose: "batch" }))).toEqual([503, 503, 200]);
    const { id: input_file_id } = await files.create({ file: file(), purpose: "batch" });
    const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    expect(await inTurn(() => batches.create({ input_file_id, ...window }))).toEqual([503, 503, 200]);
    const { id } = await batches.create({ input_file_id, ...window });
    expect(await listLeft()).toEqual(targets.map((target, place) => [target, place < 2 ? 0 : 2]));
    expect((await batches.list()).data).toHaveLength(2);
    expect(await inTurn(() => batches.retrieve(id))).toEqual([503, 503, 200]);
    expect((await files.retrieve(input_file_id)).id).toBe(input_file_id);
    expect(await inTurn(() => files.content(input_file_id))).toEqual([503, 503, 200]);
    expect(await inTurn(() => chat.completions.create({ model, messages }))).toEqual([503, 503, 200]);
    expect(await inTurn(async () => await models.list())).toEqual([503, 503, 200]);
    expect(await listLeft()).toEqual(targets.map((target) => [target, 0]));
    expect(await readSettings(await server.request("/sheaf/faults"))).toMatchObject({ latency_ms: 1 });
  });

  test("have the shape of the vendor's errors", async () => {
    await add([
      { target: "chat", first: 4, fault: "rate_limit" },
      { target: "uploads", first: 1 },
    ]);
    const anthropic = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
    const gemini = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url, retryOptions: { attempts: 1 } } });
    const claude = { model: "claude-opus-5-5", max_tokens: 9, messages };
    await expect(anthropic.messages.create(claude)).rejects.toMatchObject({
      status: 429,
      error: { type: "error", error: { type: "rate_limit_error" } },
    });
    const ask = () => gemini.models.generateContent({ model: "gemini-3-flash", contents: "Hi" });
    await expect(ask()).rejects.toThrow("RESOURCE_EXHAUSTED");
    await add([{ target: "creates", first: 2 }]);
    await expect(
      anthropic.messages.batches.create({ requests: [{ custom_id: "a", params: claude }] }),
    ).rejects.toMatchObject({ status: 503, error: { type: "error", error: { type: expect.any(String) } } });
    const src = [{ contents: [{ parts: [{ text: "Hi" }] }] }];
    await expect(gemini.batches.create({ model: "gemini-3-flash", src })).rejects.toThrow("UNAVAILABLE");
    const upload = () => gemini.files.upload({ file: new Blob(["{}"]), config: { mimeType: "application/json" } });
    await expect(upload()).rejects.toThrow("503");
    expect((await upload()).sizeBytes).toBe("2");
  });

  test("leave a request without an answer, or reset its connection before the first byte", async () => {
    const { client } = server;
    const patient = { timeout: 300 };
    await add([
      { target: "chat", first: 1, fault: "hang" },
      { target: "chat", first: 1, fault: "reset" },
      { target: "uploads", first: 1, fault: "hang" },
    ]);
    const chat = (options = {}) => client.chat.completions.create({ model, messages }, options);
    await expect(chat(patient)).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
    await expect(chat()).rejects.toMatchObject(wasReset);
    await chat();
    const file = new File(["x".repeat(3_000_000)], "a.jsonl");
    const create = client.files.create({ file, purpose: "user_data" }, patient);
    await expect(create).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
    const listed = await server.request("/sheaf/requests?limit=4");
    const { data } = z.object({ data: z.array(loggedRequestSchema) }).parse(await listed.json());
    expect(data.map(({ state, status }) => [state, status])).toEqual([
      ["aborted", null],
      ["completed", 200],
      ["dropped", null],
      ["aborted", null],
    ]);
  });

  test("belong to their scope, and a reset clears them", async () => {
    await add([{ target: "models", first: 5 }], "one");
    expect((await server.request("/v1/models")).status).toBe(200);
    expect((await server.request("/scope/one/v1/models")).status).toBe(503);
    await server.request("/scope/one/sheaf/reset", { method: "POST" });
    expect((await server.request("/scope/one/v1/models")).status).toBe(200);
  });

  test("are added behind those that have some left, and set back by what was read", async () => {
    await add([
      { target: "models", first: 2, status: 500 },
      { target: "files", first: 1 },
    ]);
    const ask = async () => (await server.request("/v1/models")).status;
    expect(await ask()).toBe(500);
    await server.request("/v1/files");
    await add([{ target: "models", first: 1, status: 502 }]);
    expect(await listLeft()).toEqual([
      ["models", 1],
      ["models", 1],
    ]);
    const read = await readSettings(await server.request("/sheaf/faults"));
    expect([await ask(), await ask(), await ask()]).toEqual([500, 502, 200]);
    expect(await readSettings(await put(read))).toEqual(read);
    expect(await ask()).toBe(500);
  });

  test("of a scope's rules go with these", async () => {
    const rules = { rules: [], faults: [{ target: "models", first: 2, status: 418 }] };
    const readCounts = async () => {
      const answer = await server.request("/sheaf/faults");
      return faultsInForceSchema.parse(await answer.json()).rule_counts;
    };
    await server.request("/sheaf/rules", { ...json(rules), method: "PUT" });
    expect((await server.request("/v1/models")).status).toBe(418);
    expect(await readCounts()).toMatchObject([{ target: "models", left: 1 }]);
    await server.request("/sheaf/rules", json({ match: {}, reply: { text: "Hi." } }));
    expect((await server.request("/v1/models")).status).toBe(418);
    expect((await server.request("/v1/models")).status).toBe(200);
    await server.request("/sheaf/rules", { method: "DELETE" });
    expect(await readCounts()).toBeUndefined();
  });

  test("a rule's reply hangs, or resets the connection", async () => {
    const rules = {
      rules: [
        { match: { last_user_message: "Hang" }, reply: { fault: "hang" } },
        { match: { last_user_message: "Reset" }, times: 2, reply: { fault: "reset" } },
      ],
    };
    await server.request("/sheaf/rules", { ...json(rules), method: "PUT" });
    const say = (content: string, stream: boolean, options = {}) =>
      server.client.chat.completions.create({ model, messages: [{ role: "user", content }], stream }, options);
    for (const stream of [false, true]) {
      await expect(say("Hang", stream, { timeout: 300 })).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
      await expect(say("Reset", stream)).rejects.toMatchObject(wasReset);
    }
    await say("Reset", false);
    await server.request("/sheaf/rules", { method: "DELETE" });
  });

  test.each([
    [[{ target: "lines", first: 1 }], "counts[0].target", "uploads"],
    [[{ target: "chat", first: 0 }], "counts[0].first", "a value >= 1"],
    [[{ target: "chat", first: 1, fault: "hang", status: 503 }], "counts[0].status", "alone"],
    [[{ target: "chat", first: 1, left: 2 }], "counts[0].left", "more than first"],
    [[], "counts", "1"],
  ])("%j is refused by name", async (counts, param, words) => {
    const error = await readError(await add(counts), 400);
    expect(error.param).toBe(param);
    expect(error.message).toContain(words);
    expect(await listLeft()).toEqual([]);
  });
});

test("an upload is refused, keeps nothing, and the client's retry gets through", async () => {
  const client = server.client.withOptions({ maxRetries: 10 });
  const before = server.service.files.list().length;
  await put({ upload_failure_rate: 0.5, statuses: [503], seed: 4 });
  const refused = await server.request("/v1/files", { method: "POST", body: formOf(twoPrompts) });
  const statuses = [refused.status];
  while (!statuses.includes(503)) {
    statuses.push((await server.request("/v1/files", { method: "POST", body: formOf(twoPrompts) })).status);
  }
  const stored = before + statuses.filter((status) => status === 200).length;
  expect(server.service.files.list()).toHaveLength(stored);
  await client.files.create({ file: new File([twoPrompts], "a.jsonl"), purpose: "batch" });
  expect(server.service.files.list()).toHaveLength(stored + 1);
});

test("the official client is asked to wait by retry-after, and tries again", async () => {
  await put({ rate_limit_rate: 1, retry_after: 1, targets: ["models"] });
  const waits: (string | null)[] = [];
  const client = new OpenAI({
    apiKey: server.client.apiKey,
    baseURL: `${server.url}/v1`,
    maxRetries: 1,
    async fetch(...parameters: Parameters<typeof fetch>) {
      const response = await fetch(...parameters);
      waits.push(response.headers.get("retry-after"));
      if (response.ok) return response;
      server.service.faults.clear();
      // The client waits by its own clock; the test does not.
      return new Response(response.body, { status: response.status, headers: { "retry-after-ms": "1" } });
    },
  });
  const models = await client.models.list();
  expect(models.data.length).toBeGreaterThan(0);
  expect(waits).toEqual(["1", null]);
});

function formOf(content: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([content]), "a.jsonl");
  form.append("purpose", "batch");
  return form;
}
