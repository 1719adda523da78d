import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { ChatRequest } from "#contract";
import { readAnswer } from "#main/answers";
import { createManualClock, createSystemClock } from "#main/base";
import { loadConfigReader } from "#main/storage";
import { createRandomIds } from "../../base/ids.ts";
import { createSilentLogger } from "../../base/logger.ts";
import type { Clock, EngineCall, Logger } from "../../base/ports.ts";
import { apiKey, startTestServer, toBatchFile } from "../../http/testing/test-server.ts";
import { createModelCatalog } from "../../requests/model-catalog.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createMockEngine } from "../mock/mock-engine.ts";
import { digestRequest } from "./rule-book.ts";
import { createFixedRules, openRulesFile, type RulesSource } from "./rules-source.ts";
import { createScopedRules } from "./scoped-rules.ts";
import { createScriptedEngine } from "./scripted-engine.ts";

beforeAll(loadConfigReader);

const catalog = createModelCatalog("standard");
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

function createEngine(rules: RulesSource, clock: Clock = createSystemClock()) {
  const ids = createRandomIds();
  return createScriptedEngine({
    rules: createScopedRules(rules),
    engine: createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog }),
    clock,
    ids,
  });
}

function ask(content: string, more: Partial<ChatRequest> = {}, line: EngineCall["line"] = null): EngineCall {
  const request: ChatRequest = { model, messages: [{ role: "user", content }], ...more };
  return { request, requestId: "req_1", line, signal: new AbortController().signal };
}

const lineOf = (customId: string, metadata: Record<string, string> = {}): NonNullable<EngineCall["line"]> => ({
  batchId: "batch_1",
  customId,
  number: 1,
  metadata,
});

/** What the rules answer to one call after the other: a text, or the status of an error. */
async function answer(rules: unknown[], calls: readonly EngineCall[], fallback = "error"): Promise<unknown[]> {
  const engine = createEngine(createFixedRules({ rules, fallback }));
  const answers: unknown[] = [];
  for (const call of calls) {
    const { statusCode, body } = await engine.complete(call);
    answers.push("choices" in body ? readAnswer(body).answer : statusCode);
  }
  return answers;
}

const say = (text: string) => ({ text });

test("the first rule that matches answers, by model, custom_id, message and metadata", async () => {
  const rules = [
    { match: { model: "deepseek-ai/DeepSeek-R1" }, reply: say("model") },
    { match: { custom_id: { regex: "^q-[0-9]+$" } }, reply: say("custom_id") },
    { match: { metadata: { customer: "acme", plan: { contains: "gold" } } }, reply: say("metadata") },
    { match: { last_user_message: { regex: "^HELLO", ignore_case: true } }, reply: say("message") },
  ];
  const answers = await answer(rules, [
    ask("hello there", { model: "deepseek-ai/DeepSeek-R1" }),
    ask("hello there", {}, lineOf("q-12")),
    ask("hello there", {}, lineOf("other", { customer: "acme", plan: "gold, yearly" })),
    ask("hello there", { metadata: { customer: "acme", plan: "gold" } }),
    ask("hello there", {}, lineOf("other", { customer: "acme" })),
    ask("well, hello"),
  ]);
  expect(answers).toEqual(["model", "custom_id", "metadata", "metadata", "message", 404]);
});

test("the last message of the role user is meant, whatever comes after it", async () => {
  const messages: ChatRequest["messages"] = [
    { role: "user", content: "first" },
    { role: "user", content: [{ type: "text", text: "last" }] },
    { role: "assistant", content: "first" },
  ];
  const rules = [
    { match: { last_user_message: "first" }, reply: say("wrong") },
    { match: { last_user_message: "last" }, reply: say("right") },
  ];
  expect(await answer(rules, [ask("", { messages })])).toEqual(["right"]);
});

test("a rule for the n-th call counts the calls that meet its other conditions, whoever answers them", async () => {
  const rules = [
    { match: { last_user_message: "a", call: 2 }, reply: say("second a") },
    { match: { last_user_message: "a" }, reply: say("any a") },
    { match: { call: [1, 4] }, reply: say("first or fourth of all") },
  ];
  const calls = ["b", "a", "a", "b", "b", "a"].map((content) => ask(content));
  expect(await answer(rules, calls)).toEqual([
    "first or fourth of all",
    "any a",
    "second a",
    "first or fourth of all",
    404,
    "any a",
  ]);
});

test("a list of replies is gone through once, and its last stays; rules with the same conditions are one list", async () => {
  const rules = [
    { match: { last_user_message: "a" }, replies: [say("1"), { error: { status: 503 } }] },
    { match: { last_user_message: "a" }, reply: say("3") },
  ];
  expect(
    await answer(
      rules,
      ["a", "a", "a", "a"].map((content) => ask(content)),
    ),
  ).toEqual(["1", 503, "3", "3"]);
});

test("the same calls in the same order get the same answers, whatever the rules", async () => {
  const text = fc.constantFrom("a", "b", "c");
  const rule = fc.record({
    match: fc.record({ last_user_message: text, call: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: [] }),
    replies: fc.array(text.map(say), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 6 }), fc.array(text, { maxLength: 12 }), async (rules, contents) => {
      const calls = contents.map((content) => ask(content));
      expect(await answer(rules, calls)).toEqual(await answer(rules, calls));
    }),
    { numRuns: 60 },
  );
});

test("a pattern that would take a backtracking engine for ever is done", async () => {
  const rules = [{ match: { last_user_message: { regex: "^(a+)+$" } }, reply: say("yes") }];
  expect(await answer(rules, [ask(`${"a".repeat(90_000)}!`)])).toEqual([404]);
});

test("the digest of a request does not depend on the order of keys", () => {
  const one = { model, messages: [{ role: "user" as const, content: "x" }], seed: 1 };
  const other = { seed: 1, messages: [{ content: "x", role: "user" as const }], model };
  expect(digestRequest(one)).toBe(digestRequest(other));
  expect(digestRequest({ ...one, seed: 2 })).not.toBe(digestRequest(one));
});

test("what no rule matches is the mock's, and so is a reply that only says when", async () => {
  const [mocked] = await answer([], [ask("What is 2 + 2?")], "mock");
  expect(mocked).toContain("2 + 2");
  const clock = createManualClock();
  const engine = createEngine(createFixedRules({ rules: [{ reply: { delay_ms: 500 } }] }), clock);
  const late = engine.complete(ask("What is 2 + 2?"));
  await clock.advance(499);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect((await late).body).toMatchObject({ choices: [{ message: { content: mocked } }] });
});

test("a delay ends when the caller goes", async () => {
  const engine = createEngine(createFixedRules({ rules: [{ reply: { text: "a", delay_ms: 60_000 } }] }));
  const stop = new AbortController();
  const pending = engine.complete({ ...ask("a"), signal: stop.signal });
  stop.abort(new Error("gone"));
  await expect(pending).rejects.toThrow("gone");
});

async function startServer(rules: RulesSource) {
  const server = await startTestServer({ engine: createEngine(rules) });
  onTestFinished(async () => {
    await server.close();
    expect(server.faults).toEqual([]);
  });
  return server;
}

test("the official client gets text, JSON, calls of tools, reasoning and usage", async () => {
  const { client } = await startServer(
    createFixedRules({
      rules: [
        { match: { last_user_message: "json" }, reply: { json: { city: "Paris", people: 2 } } },
        { match: { last_user_message: "tools" }, reply: { tool_calls: [{ name: "find", arguments: { id: 7 } }] } },
        { reply: { text: "Hello there.", reasoning: "A greeting.", finish_reason: "length" } },
      ],
    }),
  );
  const create = (content: string) => client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  const plain = await create("hi");
  expect(plain.choices).toMatchObject([
    { message: { content: "Hello there.", reasoning_content: "A greeting." }, finish_reason: "length" },
  ]);
  expect(plain.usage).toMatchObject({ completion_tokens: 6 });
  const { choices } = await create("tools");
  expect(choices).toMatchObject([
    { finish_reason: "tool_calls", message: { tool_calls: [{ function: { name: "find", arguments: '{"id":7}' } }] } },
  ]);
  const parsed = await client.chat.completions.parse({
    model,
    messages: [{ role: "user", content: "json" }],
    response_format: zodResponseFormat(z.object({ city: z.string(), people: z.int() }), "place"),
  });
  expect(parsed.choices[0]?.message.parsed).toEqual({ city: "Paris", people: 2 });
});

test("the official client tries again after a 429 with retry-after, and not at all after a 400", async () => {
  const { url } = await startServer(
    createFixedRules({
      rules: [
        { match: { last_user_message: "bad" }, reply: { error: { status: 400, code: "no", message: "Refused." } } },
        { replies: [{ error: { status: 429, retry_after: 0 } }, { text: "done" }] },
      ],
    }),
  );
  let requests = 0;
  const client = new OpenAI({
    apiKey,
    baseURL: `${url}/v1`,
    fetch: (...parameters: Parameters<typeof fetch>) => {
      requests += 1;
      return fetch(...parameters);
    },
  });
  const create = (content: string) => client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  expect((await create("good")).choices[0]?.message.content).toBe("done");
  expect(requests).toBe(2);
  await expect(create("bad")).rejects.toMatchObject({ status: 400, code: "no", message: "400 Refused." });
  expect(requests).toBe(3);
});

test("a stream has the rule's text, or breaks off after so many chunks", async () => {
  const { client } = await startServer(
    createFixedRules({
      rules: [
        { match: { last_user_message: "cut" }, reply: { text: "one two three four five", cut_after: 3 } },
        { reply: { text: "one two three" } },
      ],
    }),
  );
  async function stream(content: string): Promise<{ text: string; error: unknown }> {
    let text = "";
    try {
      const messages = [{ role: "user" as const, content }];
      for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? "";
      }
      return { text, error: null };
    } catch (error) {
      return { text, error };
    }
  }
  expect(await stream("whole")).toEqual({ text: "one two three", error: null });
  expect(await stream("cut")).toMatchObject({ text: "one two", error: expect.any(Error) });
});

test("lines of a batch are answered by custom_id, with errors in the error file", async () => {
  const server = await startServer(
    createFixedRules({
      fallback: "error",
      rules: [
        { match: { custom_id: "a" }, reply: { text: "Answer A" } },
        { match: { custom_id: "b" }, reply: { error: { status: 503, message: "Full." } } },
        { match: { custom_id: "c" }, reply: { text: "never whole", cut_after: 1 } },
        { match: { custom_id: "e" }, reply: { fault: "reset" } },
      ],
    }),
  );
  const { client } = server;
  const content = toBatchFile(["a", "b", "c", "d", "e"].map((id) => ({ id, content: "Question" })));
  const file = await client.files.create({ file: new File([content], "in.jsonl"), purpose: "batch" });
  const created = await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  await server.service.batches.settled(created.id);
  const batch = await client.batches.retrieve(created.id);
  expect(batch.request_counts).toEqual({ total: 5, completed: 1, failed: 4 });
  const read = async (id: string | null | undefined) => await (await client.files.content(id ?? "")).text();
  expect(await read(batch.output_file_id)).toContain("Answer A");
  const errors = (await read(batch.error_file_id)).trimEnd().split("\n");
  const statuses = errors.map((line) =>
    z.object({ custom_id: z.string(), response: z.object({ status_code: z.int() }) }).parse(JSON.parse(line)),
  );
  expect(Object.fromEntries(statuses.map((line) => [line.custom_id, line.response.status_code]))).toEqual({
    b: 503,
    c: 502,
    d: 404,
    e: 502,
  });
});

test("a changed rules file is read again; one with mistakes changes nothing, and the log says what they are", async () => {
  const path = join(await makeTempDir(), "rules.yaml");
  await writeFile(path, "rules: [{ reply: { text: old } }]\n");
  const warnings: string[] = [];
  const logger: Logger = { ...createSilentLogger(), warn: (message) => void warnings.push(message) };
  const rules = openRulesFile(path, logger);
  onTestFinished(() => rules.close());
  const engine = createEngine(rules);
  const read = async () => {
    const { body } = await engine.complete(ask("x"));
    return "choices" in body ? readAnswer(body).answer : null;
  };
  expect(await read()).toBe("old");
  expect(engine.description).toBe("scripted, 1 rule of rules.yaml, else the mock");

  await writeFile(path, "rules:\n  - reply: { txt: new }\n");
  await expect.poll(() => warnings).toContain(`${path}:2: rules[0].reply has the unknown key 'txt'`);
  expect(await read()).toBe("old");

  // As editors save: a new file in the place of the old one.
  await writeFile(`${path}.tmp`, "rules: [{ reply: { text: new } }, { reply: { text: never } }]\n");
  await rename(`${path}.tmp`, path);
  await expect.poll(() => read()).toBe("new");
});
