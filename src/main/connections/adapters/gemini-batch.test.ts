import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatRequest } from "#contract";
import { listObjects } from "../../base/json-values.ts";
import { fromGemini, toGemini } from "../../requests/outgoing/translate-gemini.ts";
import { createFakeMachine } from "../../service/testing/index.ts";
import { type GeminiService, startGeminiService } from "../testing/gemini-service.ts";
import type { RemoteResult } from "./batch-adapter.ts";
import { createGeminiBatchAdapter } from "./gemini-batch.ts";

const key = "AIza-0123456789abcdef";
const signal = new AbortController().signal;
let folder: string;
let service: GeminiService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-gemini-"));
  service = await startGeminiService(key);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const ask = (content: string): ChatRequest => ({
  model: "gemini-2.5-flash",
  max_tokens: 20,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content },
  ],
});

describe("Gemini's batches", () => {
  it("the vendor's own client runs a whole batch on the stand-in", async () => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: service.url } });
    const line = { key: "a", request: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] } };
    const file = new Blob([`${JSON.stringify(line)}\n`], { type: "application/jsonl" });
    const { name: fileName = "" } = await client.files.upload({ file });
    const { name = "" } = await client.batches.create({ model: "gemini-2.5-flash", src: { fileName } });
    expect((await client.batches.get({ name })).state).toBe("JOB_STATE_PENDING");
    service.end();
    const ended = await client.batches.get({ name });
    expect(ended.state).toBe("JOB_STATE_SUCCEEDED");
    const downloadPath = join(folder, "results.jsonl");
    await client.files.download({ file: ended.dest?.fileName ?? "", downloadPath });
    expect(JSON.parse(await readFile(downloadPath, "utf8"))).toMatchObject({ key: "a" });
  });

  it("so does the adapter, with what came of each line", async () => {
    const address = {
      name: "Gemini",
      url: new URL(service.url),
      key,
      keyHeader: "x-goog-api-key" as const,
      machine: createFakeMachine(),
      timeout: 5_000,
    };
    const adapter = createGeminiBatchAdapter(address, { model: (name) => name });
    const lines = ["a", "b", "c"].map((customId, at) =>
      adapter.encode({ line: at + 1, customId, request: ask(customId) }),
    );
    const path = join(folder, "part.jsonl");
    await writeFile(path, lines.map((line) => ("text" in line ? `${line.text}\n` : "")).join(""));
    const prepared = { path, name: "reviews", token: "part-1", model: "gemini-2.5-flash", fileId: null };
    const fileId = await adapter.upload(prepared, signal, () => {});
    const created = await adapter.create({ ...prepared, fileId }, signal);
    expect(created).toMatchObject({ status: "validating", rawStatus: "BATCH_STATE_PENDING", counts: { total: 3 } });
    expect(adapter.isOf(created, { ...prepared, fileId })).toBe(true);
    expect(adapter.isOf(created, { ...prepared, fileId: "files/other", token: "part-2" })).toBe(false);
    service.end((id) => id === "b");
    const ended = await adapter.get(created.id, signal);
    expect(ended.status).toBe("completed");
    const results = new Map<string, RemoteResult["outcome"]>();
    for await (const result of adapter.results(ended, signal))
      if ("outcome" in result) results.set(result.remoteId, result.outcome);
    expect(["a", "b", "c"].map((id) => results.get(id))).toMatchObject([
      { state: "answered", completion: { choices: [{ message: { content: "answer to a" }, finish_reason: "stop" }] } },
      { state: "failed", statusCode: 429, error: { message: "Resource exhausted" } },
      { state: "answered", completion: { usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } } },
    ]);
    expect(await adapter.models(signal)).toEqual(["gemini-2.5-flash"]);
    // The address of the upload is named by the answer: the key does not go there.
    const upload = service.received.findLast(({ path: to }) => to.startsWith("/put-here"));
    expect(upload?.headers["x-goog-api-key"]).toBeUndefined();
    await adapter.cancel(created.id, signal);
    await adapter.close();
  });
});

describe("a chat completion as a request of Gemini", () => {
  it("has the system's words, settings, schema, tools and images in their places", () => {
    const request: ChatRequest = {
      model: "m",
      temperature: 0.2,
      max_completion_tokens: 9,
      stop: ["END"],
      response_format: { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } },
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "f" } },
      messages: [
        { role: "system", content: "A" },
        { role: "user", content: "B" },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "1" },
      ],
    };
    expect(toGemini(request)).toEqual({
      params: {
        systemInstruction: { parts: [{ text: "A" }] },
        generationConfig: {
          temperature: 0.2,
          maxOutputTokens: 9,
          stopSequences: ["END"],
          responseMimeType: "application/json",
          responseJsonSchema: { type: "object" },
        },
        tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: { type: "object" } }] }],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
        contents: [
          { role: "user", parts: [{ text: "B" }] },
          { role: "model", parts: [{ functionCall: { name: "f", args: { x: 1 } } }] },
          { role: "user", parts: [{ functionResponse: { name: "f", response: { result: "1" } } }] },
        ],
      },
    });
  });

  it("says what the service can't do", () => {
    expect(toGemini({ ...ask("x"), logit_bias: { 5: 1 }, user: "u" })).toEqual({
      problems: [
        { param: "body.logit_bias", message: "This service has no parameter logit_bias." },
        { param: "body.user", message: "This service has no parameter user." },
      ],
    });
  });

  it("and back: null is absent, pictures stay, and counts that are missing stay missing", () => {
    const parts = [{ text: "Four.", thought: null }, { inlineData: { mimeType: "image/png", data: "AA==" } }];
    const content = { content: { parts }, finishReason: null };
    const bare = fromGemini({ candidates: [content], usageMetadata: null, responseId: null }, "a", 5);
    const images = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
    expect(bare).toMatchObject({ choices: [{ message: { content: "Four.", images }, finish_reason: null }] });
    expect(bare).not.toHaveProperty("usage");
    expect(fromGemini({ candidates: [{ content: null }] }, "a", 5)).toMatchObject({
      choices: [{ message: { content: "" } }],
    });
  });

  it("and back: thoughts, calls and why it stopped", () => {
    const parts = [{ text: "hm", thought: true }, { functionCall: { name: "f", args: { x: 1 } } }];
    const completion = fromGemini({ candidates: [{ content: { parts }, finishReason: "STOP" }] }, "a", 5);
    expect(listObjects(completion?.choices)[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, reasoning_content: "hm", tool_calls: [{ function: { arguments: '{"x":1}' } }] },
    });
    const blocked = fromGemini({ candidates: [{ finishReason: "SAFETY" }] }, "a", 5);
    expect(listObjects(blocked?.choices)[0]?.finish_reason).toBe("content_filter");
    const refused = fromGemini({ promptFeedback: { blockReason: "SAFETY" } }, "a", 5);
    expect(refused?.choices).toMatchObject([{ finish_reason: "content_filter", message: { content: "" } }]);
    expect(fromGemini({ promptFeedback: {} }, "a", 5)).toBeNull();
  });
});
