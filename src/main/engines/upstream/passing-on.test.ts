import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createSystemClock } from "#main/base";
import { loadConfigReader } from "#main/storage";
import { createRandomIds } from "../../base/ids.ts";
import { createSilentLogger } from "../../base/logger.ts";
import type { Engine } from "../../base/ports.ts";
import { json, readError, startTestServer, type TestServer } from "../../http/testing/test-server.ts";
import { createModelCatalog } from "../../requests/model-catalog.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createMockEngine } from "../mock/mock-engine.ts";
import { createRecordingEngine } from "../scripted/recording.ts";
import { openRulesFile } from "../scripted/rules-source.ts";
import { createScopedRules } from "../scripted/scoped-rules.ts";
import { createScriptedEngine } from "../scripted/scripted-engine.ts";
import { createUpstreamEngine } from "./upstream-engine.ts";

beforeAll(loadConfigReader);

const clock = createSystemClock();
const ids = createRandomIds();

/** A server that answers with what it was asked: as JSON, as events, as bytes, or with an error. Counts its calls. */
async function startEcho() {
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    paths.push(request.url ?? "");
    const body: unknown = JSON.parse(await text(request));
    const { stream, fail, mood } = z
      .looseObject({ stream: z.boolean().optional(), fail: z.boolean().optional(), mood: z.string().optional() })
      .parse(body);
    if (fail) {
      const error = { message: "No such mood.", type: "invalid_request_error", param: "mood", code: "bad_mood" };
      response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    } else if (request.url === "/v1/audio/speech") {
      response.writeHead(200, { "content-type": "audio/mpeg" }).end(Buffer.from([0xff, 0xfb, 0x00, 0x80]));
    } else if (mood === "broken") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"error":{"message":"No more moods."}}');
    } else if (stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('event: response.created\ndata: {"a":1}\n\n');
      response.end("data: [DONE]\n\n");
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "echo", path: request.url, body }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/v1`), paths };
}

function createUpstream(url: URL): Engine {
  const caps = { requestsPerMinute: null, tokensPerMinute: null, concurrency: 8, timeout: 60_000, retries: 0 };
  return createUpstreamEngine({ url, key: null, models: new Map(), passesOn: true, ...caps, clock, ids });
}

function createReplay(path: string): Engine {
  const mock = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog: createModelCatalog("standard") });
  const rules = createScopedRules(openRulesFile(path, createSilentLogger()));
  return createScriptedEngine({ rules, engine: mock, clock, ids });
}

/** Without a check of the answers: they are another server's. */
async function start(engine: Engine): Promise<TestServer> {
  const server = await startTestServer({ engine, isForeign: true });
  onTestFinished(() => server.close());
  return server;
}

const messages = [{ role: "user", content: "Why?" }];
/** What our own check would refuse, each for another reason. */
const requests: readonly (readonly [path: string, body: object])[] = [
  ["/v1/chat/completions", { model: "gpt-9", messages, tools: [{ type: "mood", mood: "sunny" }] }],
  ["/v1/chat/completions", { model: "gpt-9", messages: [{ role: "robot", content: "Why?" }], temperature: 7 }],
  ["/v1/responses", { model: "gpt-9", input: "Why?", tools: [{ type: "web_search" }], background: true }],
  ["/v1/embeddings", { model: "vectors-9", input: { image: "https://example.com" } }],
  ["/v1/images/generations", { model: "painter-9", prompt: "A cat" }],
];

async function ask(server: TestServer, path: string, body: object) {
  const response = await server.request(path, json(body));
  return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
}

test("an upstream is asked for whatever model, endpoint or parameter comes, and a recording of it answers the same", async () => {
  const echo = await startEcho();
  const file = join(await makeTempDir(), "recording.jsonl");
  const live = await start(await createRecordingEngine(createUpstream(echo.url), file, createSilentLogger()));
  const answers = [];
  for (const [path, body] of requests) {
    const answer = await ask(live, path, body);
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer.body)).toEqual({ object: "echo", path, body });
    answers.push(answer);
  }
  const streamed = await ask(live, "/v1/responses", { model: "gpt-9", input: "Why?", stream: true });
  expect(streamed).toMatchObject({ type: "text/event-stream", body: expect.stringContaining("response.created") });
  const speech = await live.request("/v1/audio/speech", json({ input: "Why?" }));
  expect(speech.headers.get("content-type")).toBe("audio/mpeg");
  expect([...new Uint8Array(await speech.arrayBuffer())]).toEqual([0xff, 0xfb, 0x00, 0x80]);
  const failed = await live.request("/v1/moods", json({ fail: true }));
  expect(await readError(failed, 422)).toMatchObject({ message: "No such mood.", param: "mood", code: "bad_mood" });
  // Paths that end like ours are the upstream's, too.
  for (const path of ["/v1/health", "/v1/metrics"]) {
    expect(JSON.parse((await ask(live, path, {})).body)).toMatchObject({ object: "echo", path });
  }
  expect((await live.request("/v1/moods")).status).toBe(404);
  expect((await live.request("/v1/moods", { ...json({}), headers: { authorization: "Bearer sk-wrong" } })).status).toBe(
    401,
  );
  const asked = echo.paths.length;

  const replayed = await start(createReplay(file));
  for (const [at, [path, body]] of requests.entries()) expect(await ask(replayed, path, body)).toEqual(answers[at]);
  expect(await ask(replayed, "/v1/responses", { model: "gpt-9", input: "Why?", stream: true })).toEqual(streamed);
  const again = await replayed.request("/v1/audio/speech", json({ input: "Why?" }));
  expect([...new Uint8Array(await again.arrayBuffer())]).toEqual([0xff, 0xfb, 0x00, 0x80]);
  expect((await readError(await replayed.request("/v1/moods", json({ fail: true })), 422)).code).toBe("bad_mood");
  expect(echo.paths).toHaveLength(asked);
  // What is not recorded is checked as ever.
  expect((await ask(replayed, "/v1/chat/completions", { model: "gpt-9", messages })).status).toBe(404);
  expect((await ask(replayed, "/v1/videos", { prompt: "A cat" })).status).toBe(404);
});

test("lines of a batch are passed on, too, and replayed; one that is not recorded is checked as it is answered", async () => {
  const echo = await startEcho();
  const file = join(await makeTempDir(), "recording.jsonl");
  const body = { model: "gpt-9", input: "Why?", mood: "sunny" };
  const run = async ({ client, service }: TestServer, bodies: readonly object[]) => {
    const line = (each: object, at: number) =>
      JSON.stringify({ custom_id: `line-${at}`, method: "POST", url: "/v1/responses", body: each });
    const input = await client.files.create({
      file: new File([bodies.map(line).join("\n")], "in.jsonl"),
      purpose: "batch",
    });
    const window = { endpoint: "/v1/responses", completion_window: "24h" } as const;
    const { id } = await client.batches.create({ input_file_id: input.id, ...window });
    const batch = await service.batches.settled(id);
    const read = async (fileId: string | null) =>
      fileId === null ? "" : await (await client.files.content(fileId)).text();
    return { batch, output: await read(batch.outputFileId), errors: await read(batch.errorFileId) };
  };
  const live = await start(await createRecordingEngine(createUpstream(echo.url), file, createSilentLogger()));
  const first = await run(live, [body, { ...body, mood: "broken" }]);
  // An error that comes with success is one, and is not asked again.
  expect(first.batch).toMatchObject({ status: "completed", counts: { completed: 1, failed: 1 } });
  expect(JSON.parse(first.errors).response.body).toMatchObject({ error: { message: "No more moods." } });
  expect(echo.paths).toHaveLength(2);
  expect(JSON.parse(first.output)).toMatchObject({ response: { body: { path: "/v1/responses", body } } });

  const replayed = await start(createReplay(file));
  const second = await run(replayed, [body, { ...body, mood: "grey" }]);
  expect(second.batch).toMatchObject({ status: "completed", counts: { completed: 1, failed: 1 } });
  expect(JSON.parse(second.output)).toMatchObject({ response: { body: { path: "/v1/responses", body } } });
  expect(JSON.parse(second.errors)).toMatchObject({
    custom_id: "line-1",
    response: { status_code: 400, body: { error: { param: "mood" } } },
  });
});
