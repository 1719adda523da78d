import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatRequest } from "#contract";
import { listObjects } from "../../base/json-values.ts";
import { fromAnthropic, toAnthropic, toAnthropicId } from "../../requests/outgoing/translate-anthropic.ts";
import { createFakeMachine } from "../../service/testing/index.ts";
import { type AnthropicService, startAnthropicService } from "../testing/anthropic-service.ts";
import { createAnthropicBatchAdapter } from "./anthropic-batch.ts";
import type { BatchAdapter, RemoteResult } from "./batch-adapter.ts";
import { ConnectionError } from "./connection-error.ts";

const key = "sk-ant-0123456789";
const signal = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-anthropic-"));
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (content: string): ChatRequest => ({
  model: "claude-sonnet-4-5",
  max_tokens: 50,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content },
  ],
});

function createAdapter(service: AnthropicService, ownKey = key): BatchAdapter {
  const address = {
    name: "Anthropic",
    url: new URL(service.url),
    key: ownKey,
    keyHeader: "authorization" as const,
    machine: createFakeMachine(),
    timeout: 5_000,
  };
  return createAnthropicBatchAdapter(address, { model: (name) => name });
}

async function encodeFile(adapter: BatchAdapter, ids: readonly string[]): Promise<string> {
  const path = join(folder, "part.jsonl");
  const lines = ids.map((customId, at) => adapter.encode({ line: at + 1, customId, request: ask(customId) }));
  await writeFile(path, lines.map((line) => ("text" in line ? `${line.text}\n` : "")).join(""));
  return path;
}

describe("message batches", () => {
  it("the vendor's own client runs a whole batch on the stand-in", async () => {
    const service = await startAnthropicService(key);
    const client = new Anthropic({ apiKey: key, baseURL: service.url });
    const params = { model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user" as const, content: "Hi" }] };
    const { id } = await client.messages.batches.create({ requests: [{ custom_id: "a", params }] });
    expect((await client.messages.batches.retrieve(id)).request_counts.processing).toBe(1);
    service.end();
    expect((await client.messages.batches.retrieve(id)).processing_status).toBe("ended");
    const results: unknown[] = [];
    for await (const result of await client.messages.batches.results(id)) results.push(result.result.type);
    expect(results).toEqual(["succeeded"]);
    await service.close();
  });

  it("a batch is created, found again, ended and read, each custom_id with what came of it", async () => {
    const service = await startAnthropicService(key);
    const adapter = createAdapter(service);
    const ids = ["q-1", "question 2", "ü\u2028", "late"];
    const path = await encodeFile(adapter, ids);
    const submission = {
      path,
      name: "reviews",
      token: "token",
      model: "some-model",
      fileId: await adapter.upload({ path, name: "", token: "", model: "", fileId: null }, signal, () => {}),
    };
    const created = await adapter.create(submission, signal);
    expect(created).toMatchObject({ status: "in_progress", counts: { total: 4, completed: 0, failed: 0 } });
    expect(adapter.isOf(created, submission)).toBeNull();

    service.end((id) => {
      if (id === "late") return { type: "expired" };
      const error = { type: "error", request_id: "req_9", error: { type: "overloaded_error", message: "Overloaded" } };
      return id === "q-1" ? { type: "errored", error } : undefined;
    });
    const ended = await adapter.get(created.id, signal);
    expect(ended).toMatchObject({ status: "completed", counts: { total: 4, completed: 2, failed: 1 } });
    const results = new Map<string, RemoteResult["outcome"]>();
    for await (const result of adapter.results(ended, signal))
      if ("outcome" in result) results.set(result.remoteId, result.outcome);
    const remoteIds = ids.map((customId, at) => adapter.toRemoteId({ customId, line: at + 1 }));
    expect(remoteIds).toEqual(["q-1", "sheaf-line-2", "sheaf-line-3", "late"]);
    expect(remoteIds.map((id) => results.get(id))).toMatchObject([
      { state: "failed", statusCode: 529, requestId: "req_9", error: { message: "Overloaded" } },
      { state: "answered", completion: { choices: [{ message: { content: "answer to sheaf-line-2" } }] } },
      { state: "answered", completion: { usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } } },
      { state: "never_ran", reason: "expired" },
    ]);
    expect(await adapter.models(signal)).toEqual(["claude-sonnet-4-5"]);
    await service.close();
  });

  it("what keeps it from answering is said, with the next step and without the key", async () => {
    const service = await startAnthropicService(key);
    const refused: unknown = await createAdapter(service, "sk-ant-wrong")
      .models(signal)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConnectionError);
    expect(refused).toMatchObject({ code: "key_refused", message: "Anthropic refused the key.", isPassing: false });
    const adapter = createAdapter(service);
    const cases = [
      [
        { status: 429, headers: { "retry-after": "7" }, body: {} },
        { code: "rate_limited", retryAfter: 7_000 },
      ],
      [{ status: 400, body: { error: { message: "Your credit balance is too low" } } }, { code: "no_credit" }],
      [{ status: 529, body: { error: { type: "overloaded_error" } } }, { code: "service_down" }],
      [{ body: "<html>Welcome</html>" }, { code: "not_the_api" }],
      [{ status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" }, { code: "not_the_api" }],
      [
        { status: 500, body: `no such key ${key}` },
        { code: "service_down", details: "no such key [key]" },
      ],
    ] as const;
    for (const [reply, expected] of cases) {
      service.inject("GET", /models/, reply);
      expect(await adapter.models(signal).catch((error: unknown) => error)).toMatchObject(expected);
    }
    service.inject("GET", /models/, (response) => response.socket?.destroy());
    expect(await adapter.models(signal).catch((error: unknown) => error)).toMatchObject({ code: "unreachable" });
    await service.close();
    expect(await adapter.models(signal).catch((error: unknown) => error)).toMatchObject({ code: "unreachable" });
  });
});

describe("a chat completion as parameters of the Messages API", () => {
  it("has system messages at the top, turns joined, tools, images and a schema in their places", () => {
    const request: ChatRequest = {
      model: "m",
      max_completion_tokens: 10,
      temperature: 0.2,
      stop: "END",
      user: "u",
      response_format: { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } },
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      tool_choice: "required",
      messages: [
        { role: "system", content: "A" },
        { role: "user", content: "B" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "1" },
        { role: "user", content: "C" },
        { role: "developer", content: "D" },
      ],
    };
    expect(toAnthropic(request)).toEqual({
      params: {
        model: "m",
        max_tokens: 10,
        temperature: 0.2,
        system: "A\n\nD",
        stop_sequences: ["END"],
        metadata: { user_id: "u" },
        output_config: { format: { type: "json_schema", schema: { type: "object" } } },
        tools: [{ name: "f", input_schema: { type: "object" } }],
        tool_choice: { type: "any" },
        messages: [
          { role: "user", content: [{ type: "text", text: "B" }] },
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "f", input: { x: 1 } }] },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "1" }] },
              { type: "text", text: "C" },
            ],
          },
        ],
      },
    });
  });

  it("says what the service can't do, and drops nothing", () => {
    const request: ChatRequest = {
      ...ask("x"),
      max_tokens: null,
      temperature: 1.5,
      n: 2,
      seed: 7,
      logprobs: true,
      presence_penalty: 1,
    };
    const translated = toAnthropic(request);
    const params = "problems" in translated ? translated.problems.map(({ param }) => param) : [];
    expect(params.toSorted()).toEqual(
      ["logprobs", "max_completion_tokens", "n", "presence_penalty", "seed", "temperature"].map(
        (name) => `body.${name}`,
      ),
    );
  });

  it("and back: what a service leaves out is missing, and nothing is no message", () => {
    const bare = fromAnthropic({ content: [{ type: "text", text: "Four.", citations: null }], usage: null }, 5);
    expect(bare).toMatchObject({ choices: [{ message: { content: "Four." }, finish_reason: null }] });
    expect(bare).not.toHaveProperty("usage");
    for (const value of [null, {}, { type: "error", error: {} }, "text"]) expect(fromAnthropic(value, 5)).toBeNull();
  });

  it("and back: thoughts, calls and why it stopped", () => {
    const message = {
      id: "msg",
      model: "m",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Yes" },
        { type: "tool_use", id: "c", name: "f", input: { x: 1 } },
      ],
      stop_reason: "max_tokens",
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(listObjects(fromAnthropic(message, 5)?.choices)[0]).toEqual({
      index: 0,
      finish_reason: "length",
      message: {
        role: "assistant",
        content: "Yes",
        reasoning_content: "hm",
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
      },
    });
    expect(fromAnthropic({ type: "error" }, 5)).toBeNull();
  });

  it("gives every line an id of its own, whatever its custom_id is", () => {
    const ids = ["a", "a b", "sheaf-line-2", "x".repeat(65)].map((id, at) => toAnthropicId(id, at + 1));
    expect(new Set(ids).size).toBe(4);
  });
});
