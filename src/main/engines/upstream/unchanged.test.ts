import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createRandomIds, createSilentLogger, createSystemClock } from "#main/base";
import { loadConfigReader } from "#main/storage";
import type { Engine } from "../../base/ports.ts";
import { json, startTestServer, type TestServer } from "../../http/testing/test-server.ts";
import { createModelCatalog } from "../../requests/model-catalog.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createMockEngine } from "../mock/mock-engine.ts";
import { createRecordingEngine } from "../scripted/recording.ts";
import { openRulesFile } from "../scripted/rules-source.ts";
import { createScopedRules } from "../scripted/scoped-rules.ts";
import { createScriptedEngine } from "../scripted/scripted-engine.ts";
import { startBadServer } from "./testing/bad-server.ts";
import { createUpstreamEngine } from "./upstream-engine.ts";

beforeAll(loadConfigReader);

const clock = createSystemClock();
const ids = createRandomIds();
const body = (content: string, stream = true) => ({ model: "any", stream, messages: [{ role: "user", content }] });

/** The first has no id, object or delta. Written again from their values, neither would be the same text. */
const chunks = [
  '{"choices": [ {"message":{"content":"caf\\u00e9 \\/"}} ] }',
  '{"object":"chunk","created":1.0e3,"choices":[{"index":0,"delta":{"content":"Four."},"finish_reason":"stop"}]}',
];
const events = chunks.map((chunk) => `data: ${chunk}\n\n`).join("");
const streams: Readonly<Record<string, string>> = {
  whole: `${events}data: [DONE]\n\n`,
  "an error": `${events}data: {"error": {"message":"Out of memory","code":503}}\n\n`,
  "an error, and more": `${events}data: {"error":{"message":"Slow down"}}\n\n${events}data: [DONE]\n\n`,
  "a word that Python writes": `data: {"choices":[ {"delta":{"content":"NaN, Infinity"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
  "no chunk": `${events}data: <html>Bad gateway</html>\n\n`,
  "names, comments and other line ends": `: PROCESSING\n\nretry: 5\nevent: chunk\nid: 1\ndata: ${chunks[0]}\r\n\r\n\n\n${events.replaceAll("data: ", "data:")}: cost 1\r\rdata:[DONE]\r\n\r\n`,
  "carriage returns alone": `data\r\rdata: ${chunks[0]}\r\revent: end\rdata: [DONE]\r\r`,
  "events with empty data": `data:\n\n${events}data: \n\nid: 2\ndata\n\ndata: [DONE]\n\n`,
  "a named error": `${events}event: error\ndata:{"error":{"message":"Slow down"}}\n\n: bye\n\ndata: [DONE]\n\n`,
};
const completion =
  '{\n  "id": "a1",\n  "created": 1.0e3,\n  "choices": [ {"message": {"content": "caf\\u00e9"}} ]\n}\n';

async function start(engine: Engine): Promise<TestServer> {
  const server = await startTestServer({ engine, isForeign: true, anyModel: true });
  onTestFinished(() => server.close());
  return server;
}

function replay(file: string): Engine {
  const mock = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog: createModelCatalog("standard") });
  const rules = createScopedRules(openRulesFile(file, createSilentLogger()));
  return createScriptedEngine({ rules, engine: mock, clock, ids });
}

/** All that came, and whether it broke off. */
async function read(server: TestServer, path: string, sent: object): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const response = await server.request(path, json(sent));
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, isCut: false };
  } catch {
    return { text, isCut: true };
  }
}

test("what an upstream sends passes byte by byte, and so it does when a recording of it answers, crashes included", async () => {
  const upstream = await startBadServer((response, { body: { messages, stream } }) => {
    const what = JSON.parse(JSON.stringify(messages ?? null))?.[0]?.content ?? "crash";
    if (stream !== true) return void response.writeHead(200, { "content-type": "application/json" }).end(completion);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (what in streams) return void response.end(streams[what]);
    response.write(events, () => response.destroy());
  });
  const caps = { requestsPerMinute: null, tokensPerMinute: null, concurrency: 8, timeout: 60_000, retries: 0 };
  const { url } = upstream;
  const asked = createUpstreamEngine({ url, key: null, models: new Map(), passesOn: true, ...caps, clock, ids });
  const file = join(await makeTempDir(), "recording.jsonl");
  const live = await start(await createRecordingEngine(asked, file, createSilentLogger()));
  const said: unknown[] = [];
  const requests: [string, object][] = [
    ...Object.keys(streams).map((name): [string, object] => ["/v1/chat/completions", body(name)]),
    ["/v1/chat/completions", body("crash")],
    ["/v1/chat/completions", body("whole", false)],
    ["/v1/responses", { model: "any", input: "crash", stream: true }],
  ];
  for (const [path, request] of requests) said.push(await read(live, path, request));
  expect(said).toEqual([
    ...Object.values(streams).map((text) => ({ text, isCut: false })),
    { text: events, isCut: true },
    { text: completion, isCut: false },
    { text: events, isCut: true },
  ]);
  const count = upstream.asked.length;
  const replayed = await start(replay(file));
  for (const [at, [path, request]] of requests.entries()) {
    expect(await read(replayed, path, request), `${at}`).toEqual(said[at]);
  }
  expect(upstream.asked).toHaveLength(count);
});

test("a rule can give chunks that lack all that chunks have, as values or as texts", async () => {
  const mock = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog: createModelCatalog("standard") });
  const rules = createScopedRules();
  const server = await start(createScriptedEngine({ rules, engine: mock, clock, ids }));
  const put = async (reply: object) => {
    const answer = await server.request("/sheaf/rules", { ...json({ rules: [{ reply }] }), method: "PUT" });
    return answer.status === 200 ? null : (await answer.text()).slice(0, 200);
  };
  const inLines = '{"choices":\r[{}]}';
  expect(await put({ chunks: [...chunks, { choices: [{}] }, inLines, { error: { message: "Busy" } }] })).toBeNull();
  const sent = `${events}data: {"choices":[{}]}\n\ndata: {"choices":\ndata: [{}]}\n\ndata: {"error":{"message":"Busy"}}\n\n`;
  expect(await read(server, "/v1/chat/completions", body("?"))).toEqual({ text: sent, isCut: false });
  expect(await put({ completion })).toBeNull();
  expect(await read(server, "/v1/chat/completions", body("?", false))).toEqual({ text: completion, isCut: false });
  expect(await put({ completion: "{}" })).toContain("is no JSON of a chat completion");
});
