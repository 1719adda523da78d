import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ChatRequest } from "#contract";
import { readChunk, readChunks } from "#main/answers";
import { createManualClock, createSystemClock } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { createRandomIds } from "../../base/ids.ts";
import type { EngineCall } from "../../base/ports.ts";
import { type Behaviour, completion, send, startBadServer } from "./testing/bad-server.ts";
import { createUpstreamEngine, type UpstreamOptions } from "./upstream-engine.ts";

const key = "sk-upstream-secret-0123456789";

async function open(behave: Behaviour, options: Partial<UpstreamOptions> = {}) {
  const { url, asked } = await startBadServer(behave);
  const engine = createEngine({ url, ...options });
  return { engine, asked, url };
}

function createEngine(options: Partial<UpstreamOptions> & { url: URL }) {
  const engine = createUpstreamEngine({
    key,
    models: new Map(),
    concurrency: 4,
    timeout: 60_000,
    retries: 0,
    requestsPerMinute: null,
    tokensPerMinute: null,
    clock: createSystemClock(),
    ids: createRandomIds(),
    random: () => 1,
    ...options,
  });
  onTestFinished(() => engine.close?.());
  return engine;
}

function ask(more: Partial<ChatRequest> = {}, signal = new AbortController().signal): EngineCall {
  const request: ChatRequest = { model: "ours", messages: [{ role: "user", content: "Hi" }], ...more };
  return { request, requestId: "req_1", line: null, signal };
}

describe("what is asked and answered", () => {
  test("passes through with all it has, under the upstream's model name and with its key", async () => {
    const answer = completion("Hello", {
      system_fingerprint: "fp_1",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello", refusal: null, annotations: [] },
          finish_reason: "stop",
          stop_reason: 7,
        },
      ],
    });
    const { engine, asked } = await open((response) => send(response, 200, answer), {
      models: new Map([["ours", "theirs"]]),
    });
    const extra = {
      min_p: 0.1,
      guided_json: { type: "object" },
      messages: [{ role: "user" as const, content: "Hi", name: "ada", x: 1 }],
    };
    expect(await engine.complete(ask(extra))).toEqual({ statusCode: 200, body: answer, json: JSON.stringify(answer) });
    expect(asked[0]?.url).toBe("/v1/chat/completions");
    expect(asked[0]?.body).toEqual({ model: "theirs", ...extra });
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test("has no key where there is none, and the name that * stands for", async () => {
    const { engine, asked } = await open((response) => send(response, 200, completion("a")), {
      key: null,
      models: new Map([["*", "any"]]),
    });
    await engine.complete(ask());
    expect(asked[0]?.headers.authorization).toBeUndefined();
    expect(asked[0]?.body.model).toBe("any");
  });

  test("stays as it came where a server leaves out what others have", async () => {
    const bare = { choices: [{ message: { content: "Hello there" }, finish_reason: "eos" }] };
    const { engine } = await open((response) => send(response, 200, bare));
    expect(await engine.complete(ask())).toEqual({ statusCode: 200, body: bare, json: JSON.stringify(bare) });
  });

  test.each([
    ["compressed", (text) => gzipSync(text), { "content-encoding": "gzip" }],
    ["behind a byte-order mark", (text) => `\uFEFF${text}`, {}],
    ["after empty lines that keep the connection alive", (text) => `\r\n\n\n${text}`, {}],
  ] as [string, (text: string) => string | Buffer, Record<string, string>][])(
    "is read %s",
    async (_, write, headers) => {
      const { engine } = await open((response) =>
        response.writeHead(200, headers).end(write(JSON.stringify(completion("Grüße")))),
      );
      expect(await engine.complete(ask())).toMatchObject({ body: { choices: [{ message: { content: "Grüße" } }] } });
    },
  );
});

describe("an error", () => {
  test.each([
    [
      "OpenAI's form",
      { error: { message: "No.", type: "invalid_request_error", param: "n", code: "bad" } },
      { message: "No.", type: "invalid_request_error", param: "n", code: "bad" },
    ],
    [
      "vLLM's old form",
      { object: "error", message: "No.", type: "BadRequestError", param: null, code: 400 },
      { message: "No.", type: "BadRequestError", code: "400" },
    ],
    ["Ollama's form", { error: "model not found" }, { message: "model not found", code: null }],
    ["FastAPI's form", { detail: "Not Found" }, { message: "Not Found" }],
    [
      "a form of its own",
      { oops: 1 },
      { message: 'The upstream answered with status 400 and application/json: {"oops":1}' },
    ],
  ])("in %s keeps its status and words", async (_, body, error) => {
    const { engine } = await open((response) => send(response, 400, body));
    expect(await engine.complete(ask())).toMatchObject({ statusCode: 400, body: { error } });
  });

  test("that broke an answer off is no answer, and has the words of its choice", async () => {
    const broken = (more: object) => {
      const message = { role: "assistant", content: "Hel" };
      return completion("", { choices: [{ index: 0, message, finish_reason: "error", ...more }] });
    };
    const replies = [broken({ error: { message: "The provider is gone.", code: 503 } }), broken({ error: null })];
    const { engine } = await open((response, _, count) => send(response, 200, replies[count - 1]));
    expect(await engine.complete(ask())).toMatchObject({
      statusCode: 503,
      body: { error: { message: "The provider is gone.", code: "503" } },
    });
    expect(await engine.complete(ask())).toMatchObject({
      statusCode: 502,
      body: { error: { message: "It broke off in the middle of the answer." } },
    });
  });

  test("that is a page is told as text", async () => {
    const page = "<html><head><style>p{}</style></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>";
    const { engine } = await open((response) =>
      send(response, 502, page, { "content-type": "text/html; charset=utf-8" }),
    );
    const reply = await engine.complete(ask());
    expect(reply).toMatchObject({
      statusCode: 502,
      body: {
        error: {
          message: expect.stringMatching(
            /^The upstream answered with status 502 and text\/html: .*502 Bad Gateway nginx$/,
          ),
        },
      },
    });
    expect(JSON.stringify(reply)).not.toContain("<");
  });

  test("never has the key in it, though the upstream repeats it", async () => {
    const { engine } = await open((response) =>
      send(response, 401, {
        error: { message: `Incorrect API key provided: ${key}.`, code: `bad ${key}`, type: key, param: key },
      }),
    );
    const reply = await engine.complete(ask());
    expect(reply.statusCode).toBe(401);
    expect(JSON.stringify(reply)).not.toContain(key);
    expect(JSON.stringify(reply)).toContain("Incorrect API key provided: [key].");
  });

  test("is no failure of the network where the key can't be sent: nothing is asked, and not again", async () => {
    const { engine, asked } = await open((response) => send(response, 200, completion("Hello")), {
      key: "sk-hidden\n",
      retries: 3,
    });
    const reply = await engine.complete(ask());
    expect(reply).toMatchObject({
      statusCode: 502,
      body: {
        error: {
          code: "upstream_failed",
          message: expect.stringContaining("could not be asked: the key has a line end at position 10."),
        },
      },
    });
    expect(asked).toEqual([]);
  });

  test("tells that nothing listens there, without the secrets of its address", async () => {
    const url = new URL(`http://user:hidden-password@127.0.0.1:${await findClosedPort()}/v1`);
    const reply = await createEngine({ url }).complete(ask());
    expect(reply).toMatchObject({
      statusCode: 502,
      body: { error: { code: "upstream_unreachable", message: expect.stringContaining("nothing listens there") } },
    });
    expect(JSON.stringify(reply)).not.toContain("hidden-password");
  });

  test.each([
    [
      "cut in the middle",
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
        response.write('{"id":');
        setImmediate(() => response.destroy());
      },
      502,
      "upstream_unreachable",
    ],
    [
      "cut where it is compressed",
      (response) =>
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(JSON.stringify(completion("Hello"))).subarray(0, 40)),
      502,
      "upstream_unreachable",
    ],
    ["half a JSON", (response) => send(response, 200, '{"id":'), 502, "upstream_invalid_answer"],
    [
      "a page with status 200",
      (response) => send(response, 200, "<html>", { "content-type": "text/html" }),
      502,
      "upstream_invalid_answer",
    ],
    [
      "no chat completion",
      (response) => send(response, 200, { object: "list", data: [] }),
      502,
      "upstream_invalid_answer",
    ],
    [
      "an error with status 200",
      (response) => send(response, 200, { error: { code: 403, message: "No credit." } }),
      403,
      "403",
    ],
    [
      "a redirect",
      (response) => send(response, 302, "", { location: "http://example.com" }),
      502,
      "upstream_invalid_answer",
    ],
  ] satisfies [string, Behaviour, number, string][])(
    "of a server whose answer is %s has a status and a code",
    async (_, behave, statusCode, code) => {
      const { engine } = await open(behave);
      expect(await engine.complete(ask())).toMatchObject({ statusCode, body: { error: { code } } });
    },
  );

  test.each([
    ["has not come", () => {}],
    ["has begun", (response) => response.writeHead(200).write(" ")],
  ] as [string, Behaviour][])("of a server whose answer %s within the time for it is a timeout", async (_, behave) => {
    const machine = createFakeMachine();
    const arrived = Promise.withResolvers<void>();
    const { engine } = await open(
      (...call) => {
        behave(...call);
        arrived.resolve();
      },
      { clock: createSystemClock(machine), timeout: 60_000 },
    );
    const reply = engine.complete(ask());
    await arrived.promise;
    await machine.advance(59_999);
    expect(machine.pending).toBe(1);
    await machine.advance(1);
    expect(await reply).toMatchObject({ statusCode: 504, body: { error: { code: "upstream_timeout" } } });
  });

  test("of a server whose answer has no end fails the request once it has 64 MB, and is not asked for again", async () => {
    const piece = Buffer.alloc(1_000_000, " ");
    const { engine, asked } = await open((response) => {
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", write);
      write();
    });
    const error = { code: "upstream_answer_too_large", message: "The answer is longer than 64 MB." };
    expect(await engine.complete(ask())).toMatchObject({ statusCode: 502, body: { error } });
    expect(asked).toHaveLength(1);
  });
});

async function findClosedPort(): Promise<number> {
  const { url } = await startBadServer(() => {});
  const socket = connect(Number(url.port), "127.0.0.1");
  await once(socket, "connect");
  const port = socket.localPort ?? 1;
  socket.destroy();
  return port;
}

describe("another attempt", () => {
  test("comes after the retry-after in seconds, and calls that did not fail wait, too", async () => {
    const machine = createFakeMachine();
    const { engine, asked } = await open(
      (response, _, count) => {
        if (count === 1) send(response, 429, { error: { message: "Slow." } }, { "retry-after": "30" });
        else send(response, 200, completion("ok"));
      },
      { retries: 2, clock: createSystemClock(machine) },
    );
    const waiting = Promise.withResolvers<number>();
    const first = engine.complete({ ...ask(), onWait: waiting.resolve });
    expect(await waiting.promise).toBe(30_000);
    const second = engine.complete(ask());
    // Pauses run on the monotonic clock.
    machine.setWall(machine.wall() - 3_600_000);
    await machine.advance(29_999);
    expect(asked).toHaveLength(1);
    await machine.advance(1);
    expect((await first).statusCode).toBe(200);
    expect((await second).statusCode).toBe(200);
    expect(asked).toHaveLength(3);
  });

  test("comes after a retry-after that is a date", async () => {
    const machine = createFakeMachine();
    const { engine, asked } = await open(
      (response, _, count) => {
        const date = new Date(machine.wall() + 20_000).toUTCString();
        if (count === 1) send(response, 503, "", { "retry-after": date });
        else send(response, 200, completion("ok"));
      },
      { retries: 1, clock: createSystemClock(machine) },
    );
    const waiting = Promise.withResolvers<number>();
    const reply = engine.complete({ ...ask(), onWait: waiting.resolve });
    expect(await waiting.promise).toBe(20_000);
    expect(asked).toHaveLength(1);
    await machine.advance(20_000);
    expect((await reply).statusCode).toBe(200);
  });

  test("comes after waits that double, less up to a quarter", async () => {
    const clock = createManualClock();
    const waits: number[] = [];
    const { engine } = await open((response) => send(response, 500, "{}"), {
      retries: 4,
      random: () => 0.5,
      clock: { ...clock, sleep: async (delay) => void waits.push(delay) },
    });
    expect((await engine.complete(ask())).statusCode).toBe(500);
    expect(waits).toEqual([437.5, 875, 1_750, 3_500]);
  });

  test.each([
    [400, {}, 1],
    [401, {}, 1],
    [404, {}, 1],
    [408, {}, 3],
    [409, {}, 3],
    [409, { "x-should-retry": "false" }, 1],
    [418, { "x-should-retry": "true" }, 3],
    [429, {}, 3],
    [500, {}, 3],
    [501, {}, 1],
    [503, {}, 3],
  ])("after %i with %j: %i requests in all", async (status, headers, count) => {
    const clock = createManualClock();
    const { engine, asked } = await open((response) => send(response, status, "{}", headers), {
      retries: 2,
      clock: { ...clock, sleep: async () => {} },
    });
    expect((await engine.complete(ask())).statusCode).toBe(status);
    expect(asked).toHaveLength(count);
  });

  test("is not made when the account is used up, nor when the wait is longer than a caller stays", async () => {
    const usedUp = await open(
      (response) => send(response, 429, { error: { message: "Quota.", code: "insufficient_quota" } }),
      { retries: 3 },
    );
    await usedUp.engine.complete(ask());
    expect(usedUp.asked).toHaveLength(1);
    const long = await open((response) => send(response, 429, "{}", { "retry-after": "3600" }), { retries: 3 });
    expect(await long.engine.complete(ask())).toMatchObject({ statusCode: 429, headers: { "retry-after": "3600" } });
    expect(long.asked).toHaveLength(1);
  });

  test("follows a cut body and a timeout, and not half a JSON: that may have been paid", async () => {
    const machine = createFakeMachine();
    const silent = Promise.withResolvers<void>();
    const { engine, asked } = await open(
      (response, _, count) => {
        if (count === 1) response.destroy();
        else if (count === 2) silent.resolve();
        else send(response, 200, "{");
      },
      { retries: 3, timeout: 5_000, clock: { ...createSystemClock(machine), sleep: async () => {} } },
    );
    const reply = engine.complete(ask());
    await silent.promise;
    await machine.advance(5_000);
    expect(await reply).toMatchObject({ body: { error: { code: "upstream_invalid_answer" }, raw_answer: "{" } });
    expect(asked).toHaveLength(3);
  });
});

test("no more requests are under way than the upstream is to have", async () => {
  let running = 0;
  let most = 0;
  const { engine, asked } = await open(
    async (response) => {
      running += 1;
      most = Math.max(most, running);
      // Until all that may come at a time are there, and a moment more.
      while (running < 3) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      send(response, 200, completion("a"));
    },
    { concurrency: 3 },
  );
  await Promise.all(Array.from({ length: 12 }, () => engine.complete(ask())));
  expect({ most, requests: asked.length }).toEqual({ most: 3, requests: 12 });
});

test("an abort closes the connection, and ends a wait between attempts", async () => {
  const { engine, asked } = await open(() => {});
  const stop = new AbortController();
  const pending = engine.complete(ask({}, stop.signal));
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error("gone"));
  await expect(pending).rejects.toThrow("gone");
  await asked[0]?.closed;

  const failing = await open((response) => send(response, 500, "{}"), { retries: 9, clock: createManualClock() });
  const stopWait = new AbortController();
  const waiting = failing.engine.complete(ask({}, stopWait.signal));
  while (failing.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stopWait.abort(new Error("gone, too"));
  await expect(waiting).rejects.toThrow("gone, too");
});

describe("a stream", () => {
  const chunk = (content: string, more: object = {}) => ({
    id: "chatcmpl-upstream",
    object: "chat.completion.chunk",
    created: 1,
    model: "their-model",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  });
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const eventStream = { "content-type": "text/event-stream; charset=utf-8" };

  async function read(engine: ReturnType<typeof createEngine>, signal = new AbortController().signal) {
    const stream = await engine.stream(ask({ stream: true }, signal));
    if (!("chunks" in stream)) return stream;
    return await Array.fromAsync(stream.chunks);
  }

  test("passes through chunk by chunk with all it has, however its bytes are cut", async () => {
    const chunks = [
      chunk("Grüße ", { service_tier: "x" }),
      chunk("🌍"),
      chunk("", { choices: [], usage: completion("").usage }),
    ];
    const bytes = Buffer.from(`: comment\n\n${chunks.map(event).join("")}data: [DONE]\n\n`);
    const { engine } = await open(async (response) => {
      response.writeHead(200, eventStream);
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(await read(engine)).toEqual([{ choices: [] }, ...chunks]);
  });

  test.each(["EMPTY", "l-1", "sk-0123456789abcdef0123456789abcdef01234"])(
    "has its words as they came, whole or streamed, also where one is the key %s",
    async (word) => {
      const { engine } = await open(
        (response, { headers }) => {
          if (headers.accept === "application/json") {
            const message = { role: "assistant", content: `It is ${word}.` };
            send(response, 200, { id: word, choices: [{ index: 0, message, finish_reason: "stop" }] });
            return;
          }
          response.writeHead(200, eventStream);
          response.end(`${event(chunk(`It is ${word}.`))}data: [DONE]\n\n`);
        },
        { key: word },
      );
      const whole = await engine.complete(ask());
      expect(whole.body).toMatchObject({ id: word, choices: [{ message: { content: `It is ${word}.` } }] });
      const stream = await engine.stream(ask({ stream: true }));
      const chunks = await Array.fromAsync("chunks" in stream ? stream.chunks : []);
      expect(chunks.map((chunk) => readChunk(chunk).choices[0]?.delta.content)).toContain(`It is ${word}.`);
    },
  );

  test("gets the first chunk while the upstream still works on the next, and stops it when its reader goes", async () => {
    const { engine, asked } = await open((response) => {
      response.writeHead(200, eventStream);
      response.write(event(chunk("first")));
    });
    const stream = await engine.stream(ask({ stream: true }));
    if (!("chunks" in stream)) throw new Error("not a stream");
    for await (const { choices } of readChunks(stream.chunks)) {
      expect(choices[0]?.delta.content).toBe("first");
      break;
    }
    await asked[0]?.closed;
  });

  test.each([
    [
      "is cut",
      (response) => {
        response.write(event(chunk("a")));
        setImmediate(() => response.destroy());
      },
    ],
    ["ends without [DONE]", (response) => response.end(event(chunk("a")))],
    [
      "has an error in it",
      (response) =>
        response.end(
          event(chunk("a")) + event(chunk("", { error: { message: `out of memory, ${key}` }, choices: [] })),
        ),
      "The upstream's stream ended with an error: out of memory, [key]",
    ],
    ["has half a JSON in it", (response) => response.end(`${event(chunk("a"))}data: {"id":\n\n`)],
    [
      "has a line without end",
      (response) => {
        const piece = Buffer.alloc(1_000_000, "x");
        const write = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", write);
        response.write(`${event(chunk("a"))}: `);
        write();
      },
      "The answer is longer than 64 MB.",
    ],
    ["stands still", (response) => response.write(event(chunk("a"))), "Nothing came for too long."],
  ] as [string, Behaviour, string?][])("that %s throws after what came before", async (what, finish, message) => {
    const machine = createFakeMachine();
    const { engine } = await open(
      (response, asked, count) => {
        response.writeHead(200, eventStream);
        response.flushHeaders();
        finish(response, asked, count);
      },
      { clock: createSystemClock(machine), timeout: 60_000 },
    );
    const stream = await engine.stream(ask({ stream: true }));
    if (!("chunks" in stream)) throw new Error("not a stream");
    const got: unknown[] = [];
    await expect(
      (async () => {
        for await (const piece of stream.chunks) {
          got.push(piece);
          // The time without a piece is counted while one is awaited.
          if (what === "stands still") setImmediate(() => void machine.advance(60_000));
        }
      })(),
    ).rejects.toThrow(message);
    expect(got).toEqual([chunk("a")]);
  });

  test("that stays open after an error fails with that error", async () => {
    const machine = createFakeMachine();
    let ping = () => {};
    const { engine } = await open(
      (response) => {
        response.writeHead(200, eventStream);
        response.write(`${event(chunk("a"))}${event({ error: { message: "Slow down." } })}`);
        ping = () => void response.write(": ping\n\n");
      },
      { clock: createSystemClock(machine), timeout: 3_600_000 },
    );
    const ended = read(engine).catch((error: unknown) => error);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      ping();
      await machine.advance(10);
    }
    const events = expect.arrayContaining([event({ error: { message: "Slow down." } }), ": ping\n\n"]);
    expect(await ended).toMatchObject({ name: "StreamError", events });
  });

  test("of a server that answers as a whole is made of that answer", async () => {
    const { engine } = await open((response) => send(response, 200, completion("one two")));
    const chunks = await read(engine);
    if (!Array.isArray(chunks)) throw new Error("not a stream");
    expect(chunks.map((chunk) => readChunk(chunk).choices[0]?.delta.content ?? "").join("")).toBe("one two");
  });

  test("that fails before its first chunk is an error, or tried again", async () => {
    const { engine } = await open(
      (response, _, count) => {
        if (count === 1) return send(response, 429, "{}", { "retry-after": "0" });
        return send(response, 400, { error: { message: "No." } });
      },
      { retries: 1 },
    );
    expect(await read(engine)).toMatchObject({ statusCode: 400, body: { error: { message: "No." } } });
  });
});
