import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { faultSettingsSchema, messageText } from "#contract";
import { createSystemClock } from "#main/base";
import { loadConfigReader } from "#main/storage";
import { createRandomIds } from "../../base/ids.ts";
import { createSilentLogger } from "../../base/logger.ts";
import type { Engine, EngineCall } from "../../base/ports.ts";
import { apiKey, startTestServer, type TestServer, toBatchFile } from "../../http/testing/test-server.ts";
import { createModelCatalog } from "../../requests/model-catalog.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createMockEngine } from "../mock/mock-engine.ts";
import { createRecordingEngine } from "../scripted/recording.ts";
import { openRecordings, openRulesFile, RulesError } from "../scripted/rules-source.ts";
import { createScopedRules } from "../scripted/scoped-rules.ts";
import { createScriptedEngine } from "../scripted/scripted-engine.ts";
import { createUpstreamEngine } from "./upstream-engine.ts";

beforeAll(loadConfigReader);

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const clock = createSystemClock();
const ids = createRandomIds();
const catalog = createModelCatalog("standard");

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(() => server.close());
  return server;
}

function createUpstream({ url }: TestServer, retries: number): Engine {
  return createUpstreamEngine({
    url: new URL(`${url}/v1`),
    key: apiKey,
    models: new Map(),
    concurrency: 8,
    timeout: 60_000,
    retries,
    requestsPerMinute: null,
    tokensPerMinute: null,
    clock: { ...clock, sleep: (delay, signal) => clock.sleep(delay / 100, signal) },
    ids,
  });
}

async function runBatch({ client, service }: TestServer, count: number) {
  const prompts = Array.from({ length: count }, (_, at) => ({ id: `q-${at}`, content: `What is ${at} + 1?` }));
  const file = await client.files.create({ file: new File([toBatchFile(prompts)], "in.jsonl"), purpose: "batch" });
  const { id } = await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  await service.batches.settled(id);
  return await client.batches.retrieve(id);
}

const lineSchema = z.object({ custom_id: z.string(), response: z.object({ status_code: z.int(), body: z.unknown() }) });

async function readLines({ client }: TestServer, fileId: string | null | undefined) {
  const text = fileId ? await (await client.files.content(fileId)).text() : "";
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => lineSchema.parse(JSON.parse(line))).sort((a, b) => a.custom_id.localeCompare(b.custom_id));
}

async function streamText({ client }: TestServer, content: string): Promise<string> {
  let text = "";
  const messages = [{ role: "user" as const, content }];
  for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? "";
  }
  return text;
}

test("every line is answered although the upstream fails, limits and drops two calls in three", async () => {
  const upstream = await start();
  upstream.service.faults.set(
    faultSettingsSchema.parse({
      failure_rate: 0.2,
      statuses: [500, 502, 503],
      rate_limit_rate: 0.1,
      retry_after: 0,
      drop_rate: 0.35,
      targets: ["chat"],
    }),
  );
  const front = await start({ engine: createUpstream(upstream, 30) });
  const batch = await runBatch(front, 60);
  expect(batch.request_counts).toEqual({ total: 60, completed: 60, failed: 0 });
  expect(batch.error_file_id).toBeNull();
});

test("an answer that is garbled may have been paid: its line fails, keeps the text, and is not asked again", async () => {
  const upstream = await start();
  upstream.service.faults.set(faultSettingsSchema.parse({ malformed_rate: 1, targets: ["chat"] }));
  const front = await start({ engine: createUpstream(upstream, 30) });
  const batch = await runBatch(front, 10);
  expect(batch.request_counts).toEqual({ total: 10, completed: 0, failed: 10 });
  for (const { response } of await readLines(front, batch.error_file_id)) {
    const body = { error: { code: "upstream_invalid_answer" }, raw_answer: expect.stringMatching(/^\{"id":/) };
    expect(response).toMatchObject({ status_code: 502, body });
  }
});

test("without retries, each error is a line of the error file with the upstream's status and words", async () => {
  const upstream = await start();
  upstream.service.faults.set(faultSettingsSchema.parse({ failure_rate: 0.5, statuses: [503], targets: ["chat"] }));
  const front = await start({ engine: createUpstream(upstream, 0) });
  const batch = await runBatch(front, 60);
  const errors = await readLines(front, batch.error_file_id);
  expect(errors.length).toBeGreaterThan(10);
  expect(errors.length + (await readLines(front, batch.output_file_id)).length).toBe(60);
  for (const { response } of errors) {
    expect(response).toMatchObject({ status_code: 503, body: { error: { code: "injected_fault" } } });
  }
});

test("a direct call gets the upstream's answer, its stream, and its errors with retry-after", async () => {
  const upstream = await start();
  const front = await start({ engine: createUpstream(upstream, 0) });
  const messages = [{ role: "user" as const, content: "What is 2 + 2?" }];
  const direct = await front.client.chat.completions.create({ model, messages });
  expect(direct.choices[0]?.message.content).toContain("2 + 2");
  expect(await streamText(front, "What is 2 + 2?")).toBe(direct.choices[0]?.message.content);
  upstream.service.faults.set(faultSettingsSchema.parse({ rate_limit_rate: 1, retry_after: 9, targets: ["chat"] }));
  const refused = await front.client.chat.completions.create({ model, messages }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  expect(
    z
      .object({ headers: z.instanceof(Headers) })
      .parse(refused)
      .headers.get("retry-after"),
  ).toBe("9");
});

test("a recording says the same again without the upstream: answers, errors, streams", async () => {
  const path = join(await makeTempDir(), "said.jsonl");
  const upstream = await start();
  upstream.service.faults.set(faultSettingsSchema.parse({ failure_rate: 0.3, statuses: [503], targets: ["chat"] }));
  const engine = await createRecordingEngine(createUpstream(upstream, 0), path, createSilentLogger());
  const front = await startTestServer({ engine });
  const batch = await runBatch(front, 40);
  upstream.service.faults.clear();
  const streamed = [await streamText(front, "one"), await streamText(front, "one"), await streamText(front, "two")];
  const said = [await readLines(front, batch.output_file_id), await readLines(front, batch.error_file_id)];
  await front.close();
  expect(await readFile(path, "utf8")).not.toContain(apiKey);

  const rules = createScopedRules(openRulesFile(path, createSilentLogger()));
  const mock = createMockEngine({ pace: "instant", seed: 99, clock, ids, catalog });
  const again = await start({ engine: createScriptedEngine({ rules, engine: mock, clock, ids }) });
  const replayed = await runBatch(again, 40);
  expect(
    [await readLines(again, replayed.output_file_id), await readLines(again, replayed.error_file_id)].map(
      withoutRequestIds,
    ),
  ).toEqual(said.map(withoutRequestIds));
  expect([await streamText(again, "one"), await streamText(again, "one"), await streamText(again, "two")]).toEqual(
    streamed,
  );
});

function withoutRequestIds(lines: readonly z.infer<typeof lineSchema>[]) {
  return lines.map(({ custom_id, response }) => ({ custom_id, status: response.status_code, body: response.body }));
}

test("a recording goes on where it was; a line that a crash has torn is cut off", async () => {
  const path = join(await makeTempDir(), "said.jsonl");
  const ask = async (content: string) => {
    const engine = await createRecordingEngine(
      createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog }),
      path,
      createSilentLogger(),
    );
    const request = { model, messages: [{ role: "user" as const, content }] };
    await engine.complete({ request, requestId: "req_1", line: null, signal: new AbortController().signal });
    await engine.close?.();
  };
  await ask("one");
  const first = await readFile(path, "utf8");
  await writeFile(path, `${first}{"name":"two","match":{"req`);
  await ask("two");
  const both = await readFile(path, "utf8");
  expect(both.startsWith(first)).toBe(true);
  expect(
    both
      .trimEnd()
      .split("\n")
      .map((line) => z.object({ name: z.string() }).parse(JSON.parse(line)).name),
  ).toEqual(["one", "two"]);
  await writeFile(path, first.trimEnd());
  await ask("three");
  expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(2);
});

test("what is no recording is not written to", async () => {
  const folder = await makeTempDir();
  const engine = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog });
  const notes = join(folder, "notes.jsonl");
  await writeFile(notes, "my notes");
  await expect(createRecordingEngine(engine, notes, createSilentLogger())).rejects.toThrow(RulesError);
  expect(await readFile(notes, "utf8")).toBe("my notes");
  await expect(createRecordingEngine(engine, join(folder, "a.yaml"), createSilentLogger())).rejects.toThrow(
    "end in .jsonl",
  );
});

test("a strict replay answers what was recorded, and tells of a miss the nearest request and what differs", async () => {
  const path = join(await makeTempDir(), "said.jsonl");
  const request = { model, messages: [{ role: "user" as const, content: "Where is it?" }], temperature: 0 };
  const toCall = (more: object) => ({
    request: { ...request, ...more },
    requestId: "req_1",
    line: null,
    signal: new AbortController().signal,
  });
  const mock = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog });
  const recorded = await createRecordingEngine(mock, path, createSilentLogger());
  const said = await recorded.complete(toCall({}));
  await recorded.complete(toCall({ messages: [{ role: "user", content: "Something else entirely" }], seed: 7 }));
  await recorded.close?.();

  const rules = createScopedRules(openRulesFile(path, createSilentLogger(), { isStrict: true }));
  const replay = createScriptedEngine({ rules, engine: mock, clock, ids });
  expect((await replay.complete(toCall({}))).body).toEqual(said.body);
  const { statusCode, body } = await replay.complete(
    toCall({ messages: [{ role: "user", content: "Where is she?" }], temperature: 1, top_p: 0.5 }),
  );
  expect([statusCode, body]).toMatchObject([404, { error: { code: "no_rule_matches" } }]);
  expect(JSON.stringify(body)).toContain(
    "The nearest is rule 1 ('Where is it?'), but messages[0].content is 'Where is she?', not 'Where is it?'; temperature is 1, not 0; top_p is 0.5, not missing.",
  );
  await replay.close?.();
});

test("recordings of a folder are those of scopes, and only what is missing is asked", async () => {
  const folder = `${join(await makeTempDir(), "recordings")}/`;
  const asked: string[] = [];
  const mock = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog });
  const upstream = {
    ...mock,
    complete(call: EngineCall) {
      asked.push(`${call.scope} ${messageText(call.request.messages[0] ?? { role: "user", content: "" })}`);
      return mock.complete(call);
    },
  };
  /** As `--record DIR/ --record-missing` has it. */
  async function run(questions: readonly [scope: string, content: string][]): Promise<unknown[]> {
    const rules = createScopedRules(openRecordings(folder));
    const engine = await createRecordingEngine(upstream, folder, createSilentLogger(), rules.append);
    const front = createScriptedEngine({ rules, engine, clock, ids });
    const answers: unknown[] = [];
    for (const [scope, content] of questions) {
      const request = { model, messages: [{ role: "user" as const, content }] };
      const call = { request, requestId: "r", scope, line: null, signal: new AbortController().signal };
      answers.push((await front.complete(call)).body);
    }
    await front.close?.();
    return answers;
  }
  const [first, again] = await run([
    ["logs-in", "one"],
    ["logs-in", "one"],
    ["pays", "one"],
  ]);
  expect(again).toEqual(first);
  expect(asked).toEqual(["logs-in one", "pays one"]);
  expect((await readdir(folder)).sort()).toEqual(["logs-in.jsonl", "pays.jsonl"]);

  await appendFile(join(folder, "pays.jsonl"), '{"name":"torn');
  expect(
    await run([
      ["logs-in", "one"],
      ["pays", "two"],
    ]),
  ).toMatchObject([first, {}]);
  expect(asked).toEqual(["logs-in one", "pays one", "pays two"]);
  expect((await readFile(join(folder, "pays.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(2);
});
