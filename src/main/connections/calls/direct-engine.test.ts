import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { AzureOpenAI } from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ChatRequest, type Connection, connectionSchema } from "#contract";
import { readChunks } from "#main/answers";
import { createRandomIds, createSystemMachine, type Engine, type EngineCall } from "#main/base";
import { startAnthropicService } from "../testing/anthropic-service.ts";
import { startGeminiService } from "../testing/gemini-service.ts";
import { startOpenaiService } from "../testing/openai-service.ts";
import type { StandIn } from "../testing/stand-in.ts";
import { openDirectEngine } from "./direct-engine.ts";

const key = "sk-0123456789abcdef";
const model = "some-model";
const messages = [{ role: "user" as const, content: "Why?" }];

interface Service {
  readonly adapter: Connection["adapter"];
  readonly keyHeader: string;
  readonly path: string;
  start(): Promise<StandIn>;
  /** The vendor's own client asks, as a whole and as a stream. */
  vendor(url: string): Promise<readonly [string, string]>;
}

const services: Readonly<Record<string, Service>> = {
  anthropic: {
    adapter: "anthropic-batch",
    keyHeader: "authorization",
    path: "/v1/messages",
    start: () => startAnthropicService(key),
    async vendor(baseURL) {
      const client = new Anthropic({ apiKey: key, baseURL });
      const { content } = await client.messages.create({ model, max_tokens: 9, messages });
      const streamed = await client.messages.stream({ model, max_tokens: 9, messages }).finalText();
      return [content.map((block) => (block.type === "text" ? block.text : "")).join(""), streamed];
    },
  },
  gemini: {
    adapter: "gemini-batch",
    keyHeader: "x-goog-api-key",
    path: `/v1beta/models/${model}:generateContent`,
    start: () => startGeminiService(key),
    async vendor(baseUrl) {
      const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } });
      const { text = "" } = await models.generateContent({ model, contents: "Why?" });
      let streamed = "";
      for await (const piece of await models.generateContentStream({ model, contents: "Why?" })) {
        streamed += piece.text ?? "";
      }
      return [text, streamed];
    },
  },
  azure: {
    adapter: "openai-batch",
    keyHeader: "api-key",
    path: "/openai/v1/chat/completions",
    start: () => startOpenaiService("azure", key),
    async vendor(baseURL) {
      const client = new AzureOpenAI({ apiKey: key, baseURL, apiVersion: "preview" });
      const { choices } = await client.chat.completions.create({ model, messages });
      const text = choices[0]?.message.content ?? "";
      return [text, text];
    },
  },
};

function open(preset: string, adapter: Connection["adapter"], url: string, ownKey = key): Engine {
  const connection = connectionSchema.parse({ id: "conn_1", name: preset, adapter, preset, url, models: { m: model } });
  const engine = openDirectEngine(connection, ownKey, {
    timeout: 60_000,
    retries: 0,
    ids: createRandomIds(),
    machine: createSystemMachine(),
  });
  onTestFinished(async () => await engine.close?.());
  return engine;
}

function call(more: Partial<ChatRequest> = {}, line: EngineCall["line"] = null): EngineCall {
  const request = { model: "m", messages: [{ role: "system" as const, content: "Be brief." }, ...messages], ...more };
  return { request, requestId: "r", line, signal: new AbortController().signal };
}

describe.each(Object.entries(services))("single calls to %s", (preset, { adapter, keyHeader, path, start, vendor }) => {
  it("are answered, whole and streamed, as the vendor's own client is", async () => {
    const service = await start();
    onTestFinished(() => service.close());
    expect(await vendor(service.url)).toEqual(
      ["answer to Why?", "answer to Why?"].map((text) => expect.stringContaining(text)),
    );

    const engine = open(preset, adapter, service.url);
    expect(await engine.complete(call())).toMatchObject({
      statusCode: 200,
      body: { model, choices: [{ message: { content: expect.stringContaining("Why?") }, finish_reason: "stop" }] },
    });
    const asked = service.received.at(-1);
    expect(asked).toMatchObject({
      path,
      headers: { [keyHeader]: keyHeader === "authorization" ? `Bearer ${key}` : key },
    });
    expect(Object.values(asked?.headers ?? {}).filter((value) => String(value).includes(key))).toHaveLength(1);

    const streamed = await engine.stream(call({ stream: true, stream_options: { include_usage: true } }));
    if (!("chunks" in streamed)) throw new Error(JSON.stringify(streamed));
    const chunks = await Array.fromAsync(readChunks(streamed.chunks));
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toContain("Why?");
    expect(choices.at(-1)?.finish_reason).toBe("stop");
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: expect.any(Number),
      completion_tokens: expect.any(Number),
    });
  });

  it("are refused for a wrong key, which nothing repeats, and break off where the service does", async () => {
    const service = await start();
    onTestFinished(() => service.close());
    const refused = await open(preset, adapter, service.url, "sk-wrong-one").complete(call());
    expect(refused.statusCode).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(refused)).not.toContain("sk-wrong-one");
    for (const last of ["ping", "message_stop"]) {
      const body = `: nothing\n\ndata: {"type":"${last}"}\n\n`;
      service.inject("POST", /./, { headers: { "content-type": "text/event-stream" }, body });
      const streamed = await open(preset, adapter, service.url).stream(call({ stream: true }));
      if (!("chunks" in streamed)) throw new Error(JSON.stringify(streamed));
      await expect(Array.fromAsync(streamed.chunks)).rejects.toThrow(/broke off|no chunk/);
    }
  });
});

it("a request that the service has no counterpart for is not sent, and says why", async () => {
  const service = await startAnthropicService(key);
  onTestFinished(() => service.close());
  const engine = open("anthropic", "anthropic-batch", service.url);
  const line = { batchId: "batch_1", customId: "a", number: 1 };
  expect(await engine.complete(call({ seed: 1 }, line))).toMatchObject({
    statusCode: 400,
    body: {
      error: { code: "unsupported_by_service", message: expect.stringMatching(/most tokens.*no parameter seed/) },
    },
  });
  expect(service.received).toHaveLength(0);
});

it("thoughts and calls of tools are streamed, too", async () => {
  const anthropic = await startAnthropicService(key);
  const gemini = await startGeminiService(key);
  onTestFinished(async () => void (await Promise.all([anthropic.close(), gemini.close()])));
  const usage = { input_tokens: 1, output_tokens: 2 };
  const toEvents = (events: readonly unknown[]) => ({
    headers: { "content-type": "text/event-stream" },
    body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
  });
  const messageEvents = [
    { type: "message_start", message: { id: "msg_1", type: "message", model, content: [], usage } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "call_0_0", name: "look", input: {} },
    },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"at":' } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"sky"}' } },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  const responses = [
    { candidates: [{ content: { parts: [{ text: "Hm.", thought: true }] } }] },
    {
      candidates: [
        { content: { parts: [{ functionCall: { name: "look", args: { at: "sky" } } }] }, finishReason: "STOP" },
      ],
    },
  ];
  anthropic.inject("POST", /messages$/, toEvents(messageEvents));
  gemini.inject("POST", /stream/, toEvents(responses));
  for (const engine of [
    open("anthropic", "anthropic-batch", anthropic.url),
    open("gemini", "gemini-batch", gemini.url),
  ]) {
    const streamed = await engine.stream(call({ stream: true }));
    if (!("chunks" in streamed)) throw new Error(JSON.stringify(streamed));
    const choices = (await Array.fromAsync(readChunks(streamed.chunks))).flatMap((chunk) => chunk.choices);
    expect(choices.map(({ delta }) => delta.reasoning_content ?? "").join("")).toBe("Hm.");
    expect(choices.at(-1)).toMatchObject({
      delta: { tool_calls: [{ index: 0, id: "call_0_0", name: "look", input: '{"at":"sky"}' }] },
      finish_reason: "tool_calls",
    });
  }
});
