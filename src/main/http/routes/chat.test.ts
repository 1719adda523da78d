import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chatCompletionChunkSchema, chatCompletionSchema } from "#contract";
import { createAdjustableClock, createManualClock } from "#main/base";
import type { Engine } from "../../base/ports.ts";
import { createManualEngine, createTestEngine, replyTo } from "../../service/testing/index.ts";
import { json, readError, startTestServer, type TestServer, type TestServerOptions } from "../testing/test-server.ts";

const path = "/v1/chat/completions";
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const ask = (more: object = {}) => json({ model, messages: [{ role: "user", content: "What is 2 + 2?" }], ...more });

const running: TestServer[] = [];
/** A server of the test's own. */
async function start(options: TestServerOptions): Promise<TestServer> {
  const started = await startTestServer(options);
  running.push(started);
  return started;
}
afterEach(async () => {
  for (const started of running.splice(0)) await started.close();
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

/** The data of the events of a stream, once it is sure that every byte belongs to one. */
async function readEvents(response: Response): Promise<string[]> {
  const text = await response.text();
  expect(text).toMatch(/^(data: [^\n]+\n\n)+$/);
  return text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.slice("data: ".length));
}

async function readChunks(response: Response) {
  const events = await readEvents(response);
  expect(events.pop()).toBe("[DONE]");
  return events.map((event) => chatCompletionChunkSchema.parse(JSON.parse(event)));
}

test("a question is answered with a chat completion", async () => {
  const response = await server.request(path, ask());
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  const completion = chatCompletionSchema.parse(await response.json());
  expect(completion).toMatchObject({ model, choices: [{ index: 0, finish_reason: "stop" }] });
});

test("an alias stands for its model, as in a batch, and unknown parameters are taken", async () => {
  const name = "vendor_b/Family2-R1";
  const response = await server.request(path, ask({ model: name, reasoning_effort: "low", mirostat: { tau: 5 } }));
  expect(await response.json()).toMatchObject({ model: "deepseek-ai/DeepSeek-R1" });
});

describe("a request that is wrong", () => {
  const messages = [{ role: "user", content: "Why?" }];
  test.each<[name: string, body: unknown, status: number, code: string, param: string | null]>([
    ["no JSON", "{", 400, "invalid_json", null],
    ["no object", [], 400, "invalid_type", null],
    ["null", null, 400, "invalid_type", null],
    ["no model", { messages }, 400, "missing_required_parameter", "model"],
    ["no messages", { model }, 400, "missing_required_parameter", "messages"],
    ["messages of a wrong type", { model, messages: "Why?" }, 400, "invalid_type", "messages"],
    ["no message", { model, messages: [] }, 400, "invalid_value", "messages"],
    ["a wrong role", { model, messages: [{ role: "robot", content: "" }] }, 400, "invalid_value", "messages[0].role"],
    ["no content", { model, messages: [{ role: "user" }] }, 400, "missing_required_parameter", "messages[0].content"],
    ["too warm", { model, messages, temperature: 3 }, 400, "invalid_value", "temperature"],
    ["a stream of a wrong type", { model, messages, stream: 1 }, 400, "invalid_type", "stream"],
    ["an unknown model", { model: "gpt-9", messages }, 404, "model_not_found", "model"],
    [
      "too long an answer",
      { model, messages, max_completion_tokens: 131_001 },
      400,
      "max_output_exceeded",
      "max_completion_tokens",
    ],
    [
      "too long a prompt",
      { model, messages: [{ role: "user", content: "7 ".repeat(131_001) }] },
      400,
      "context_length_exceeded",
      "messages",
    ],
    [
      "over 10 MB",
      { model, messages: [{ role: "user", content: "x".repeat(10_000_001) }] },
      413,
      "body_too_large",
      null,
    ],
  ])("is refused for %s", async (_name, body, status, code, param) => {
    const error = await readError(await server.request(path, json(body)), status);
    expect(error).toMatchObject({ type: "invalid_request_error", code, param });
  });

  test("says what was found, and what is expected", async () => {
    const error = await readError(await server.request(path, ask({ temperature: 3 })), 400);
    expect(error.message).toBe("temperature is 3; expected 2 or less. Start the server with --lenient to accept it.");
  });

  test("is told so by its tier: free takes 32,000 tokens and answers with 4,000", async () => {
    const free = await start({ tier: "free" });
    const long = await readError(await free.request(path, ask({ max_tokens: 4_001 })), 400);
    expect(long).toMatchObject({ code: "max_output_exceeded", param: "max_tokens" });
    const messages = [{ role: "user", content: "7 ".repeat(32_001) }];
    const full = await readError(await free.request(path, ask({ messages })), 400);
    expect(full).toMatchObject({ code: "context_length_exceeded", param: "messages" });
    expect((await server.request(path, ask({ messages, max_tokens: 4_001 }))).status).toBe(200);
  });
});

describe("a stream", () => {
  test("is events and nothing else: the role first, the finish reason last, then [DONE]", async () => {
    const response = await server.request(path, ask({ stream: true }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    const chunks = await readChunks(response);
    expect(chunks[0]?.choices).toMatchObject([{ index: 0, delta: { role: "assistant", content: "" } }]);
    expect(chunks.at(-1)?.choices).toMatchObject([{ index: 0, delta: {}, finish_reason: "stop" }]);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.choices[0]?.finish_reason).toBeNull();
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
  });

  test("says the same as an answer in one piece", async () => {
    const whole = chatCompletionSchema.parse(await (await server.request(path, ask())).json());
    const chunks = await readChunks(await server.request(path, ask({ stream: true })));
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(whole.choices[0]?.message.content);
  });

  test("ends with the usage when that is asked for", async () => {
    const request = ask({ stream: true, stream_options: { include_usage: true } });
    const chunks = await readChunks(await server.request(path, request));
    const last = chunks.pop();
    expect(last?.choices).toEqual([]);
    expect(last?.usage?.completion_tokens).toBeGreaterThan(5);
    for (const chunk of chunks) expect(chunk.usage).toBeNull();
  });

  test("that breaks off has no end", async () => {
    const engine: Engine = {
      ...createTestEngine(),
      stream: async (call) => ({
        statusCode: 200,
        chunks: (async function* () {
          yield { id: "1", object: "chat.completion.chunk", created: 1, model: call.request.model, choices: [] };
          throw new Error("The engine is gone.");
        })(),
      }),
    };
    const broken = await start({ engine });
    const response = await broken.request(path, ask({ stream: true }));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    expect((await broken.request("/health")).status).toBe(200);
  });
});

describe.each([false, true])("with stream: %s", (stream) => {
  test("an error of the engine is the answer, with its headers", async () => {
    const busy = await start({
      engine: createTestEngine(() => ({
        statusCode: 503,
        headers: { "retry-after": "7" },
        body: { error: { message: "No room.", type: "server_error", param: null, code: "overloaded" } },
      })),
    });
    const response = await busy.request(path, ask({ stream }));
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await readError(response, 503)).toMatchObject({ message: "No room.", code: "overloaded" });
  });

  test("a client that goes away stops the work", async () => {
    const engine = createManualEngine();
    const held = await start({ engine, rateLimit: true });
    const client = new AbortController();
    const asked = held.request(path, { ...ask({ stream }), signal: client.signal });
    await engine.arrived(1);
    const [call] = engine.waiting;
    client.abort();
    await expect(asked).rejects.toThrow("abort");
    if (call?.signal.aborted === false) await once(call.signal, "abort");
    expect(engine.waiting).toEqual([]);
    expect(held.faults).toEqual([]);
  });
});

test("a client that goes away in the middle of a stream stops the work", async () => {
  const stopped = Promise.withResolvers<void>();
  const engine: Engine = {
    ...createTestEngine(),
    stream: async ({ request, signal }) => ({
      statusCode: 200,
      chunks: (async function* () {
        yield { id: "1", object: "chat.completion.chunk", created: 1, model: request.model, choices: [] };
        await once(signal, "abort");
        stopped.resolve();
        throw signal.reason;
      })(),
    }),
  };
  const endless = await start({ engine });
  const client = new AbortController();
  const response = await endless.request(path, { ...ask({ stream: true }), signal: client.signal });
  await response.body?.getReader().read();
  client.abort();
  await stopped.promise;
  expect(endless.faults).toEqual([]);
});

describe("the tier's limits", () => {
  const headersOf = ({ headers }: Response) =>
    ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}-requests`));

  test("are 60 a minute in the standard tier, and the clock frees them", async () => {
    const clock = createManualClock();
    const limited = await start({ rateLimit: true, clock });
    for (let count = 1; count <= 60; count++) {
      const response = await limited.request(path, ask());
      expect(response.status).toBe(200);
      expect(headersOf(response)).toEqual(["60", String(60 - count), "1m0s"]);
      await response.arrayBuffer();
    }
    await clock.advance(20_500);
    const refused = await limited.request(path, ask());
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(headersOf(refused)).toEqual(["60", "0", "39.5s"]);
    expect(await readError(refused, 429)).toEqual({
      message:
        "Rate limit reached: 60 requests per minute. Try again in 40 s, or start the server with --no-rate-limit.",
      type: "rate_limit_error",
      param: null,
      code: "rate_limit_exceeded",
    });
    await clock.advance(39_500);
    expect((await limited.request(path, ask())).status).toBe(200);
  });

  test("are 1 a minute in the free tier; a request that is wrong does not count", async () => {
    const limited = await start({ rateLimit: true, tier: "free", clock: createManualClock() });
    const wrong = await limited.request(path, ask({ temperature: 3 }));
    expect([wrong.status, ...headersOf(wrong)]).toEqual([400, "1", "1", "0ms"]);
    expect((await limited.request(path, ask())).status).toBe(200);
    expect((await limited.request(path, ask())).status).toBe(429);
  });

  test("tell clients how long to wait in their own time, however fast the server's clock runs", async () => {
    const clock = createAdjustableClock({ speed: 30 });
    const limited = await start({ rateLimit: true, tier: "free", clock });
    expect((await limited.request(path, ask())).status).toBe(200);
    const refused = await limited.request(path, ask());
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^[12]$/);
    expect(refused.headers.get("x-ratelimit-reset-requests")).toMatch(/^([01]\.\d+|2)s$|^\d+ms$/);
  });

  test("hold for streams as for the rest", async () => {
    const limited = await start({ rateLimit: true, tier: "free", clock: createManualClock() });
    const response = await limited.request(path, ask({ stream: true }));
    expect(headersOf(response)).toEqual(["1", "0", "1m0s"]);
    await response.text();
    expect((await limited.request(path, ask({ stream: true }))).status).toBe(429);
  });

  test("are 10 at a time in the standard tier; an answer or a client that goes makes room", async () => {
    const engine = createManualEngine();
    const limited = await start({ rateLimit: true, engine });
    const client = new AbortController();
    const leaving = limited.request(path, { ...ask(), signal: client.signal }).catch(() => "gone");
    const asked = Array.from({ length: 9 }, () => limited.request(path, ask()));
    await engine.arrived(10);
    const refused = await limited.request(path, ask());
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await readError(refused, 429)).message).toContain("at the same time: 10 at most");
    client.abort();
    expect(await leaving).toBe("gone");
    while (engine.waiting.length > 9) await limited.request("/health");
    asked.push(limited.request(path, ask()));
    await engine.arrived(10);
    expect((await limited.request(path, ask())).status).toBe(429);
    engine.release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test("are not told where there are none", async () => {
    const response = await server.request(path, ask());
    expect(headersOf(response)).toEqual([null, null, null]);
  });

  test("do not touch batches, files or models", async () => {
    const limited = await start({ rateLimit: true, tier: "free", engine: createTestEngine(replyTo) });
    for (let count = 0; count < 5; count++) expect((await limited.request("/v1/models")).status).toBe(200);
    expect((await limited.request("/v1/models")).headers.get("x-ratelimit-limit-requests")).toBeNull();
  });
});
