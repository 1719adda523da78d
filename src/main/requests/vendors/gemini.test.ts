import { expect, it } from "vitest";
import type { ChatCompletionChunk, ChatDelta } from "#contract";
import { toGenerateEvents } from "./gemini-answer.ts";
import { readGenerateRequest } from "./gemini-request.ts";
import { generateAnswerSchema, generateRequestSchema, toCamelCase } from "./gemini-wire.ts";

const model = "gemini-3-flash";
const ask = (request: object) =>
  readGenerateRequest(generateRequestSchema.parse({ contents: [{ parts: [{ text: "Hi" }] }], ...request }), model);

it("contents become messages, and each response of a function is that of its call", () => {
  const { messages } = ask({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      {
        parts: [
          { text: "Read these." },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { inlineData: { mimeType: "audio/mpeg", data: "BBBB" } },
          { inlineData: { mimeType: "application/pdf", data: "CCCC", displayName: "Report" } },
          { fileData: { mimeType: "image/png", fileUri: "http://127.0.0.1/v1beta/files/1" } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true },
          { text: "One moment." },
          { functionCall: { name: "look", args: { at: 1 } }, thoughtSignature: "s" },
          { functionCall: { id: "own", name: "look" } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "own", name: "look", response: { animal: "dog" } } },
          { functionResponse: { name: "look", response: { output: "A cat." } } },
          { text: "And now?" },
        ],
      },
    ],
  });
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Read these." },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "input_audio", input_audio: { data: "BBBB", format: "mp3" } },
        { type: "file", file: { file_data: "data:application/pdf;base64,CCCC", filename: "Report" } },
        { type: "image_url", image_url: { url: "http://127.0.0.1/v1beta/files/1" } },
      ],
    },
    {
      role: "assistant",
      content: "One moment.",
      reasoning_content: "Hm.",
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "look", arguments: '{"at":1}' },
          extra_content: { google: { thought_signature: "s" } },
        },
        { id: "own", type: "function", function: { name: "look", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "own", name: "look", content: '{"animal":"dog"}' },
    { role: "tool", tool_call_id: "call_1", name: "look", content: "A cat." },
    { role: "user", content: "And now?" },
  ]);
});

it("settings become parameters, and the vendor's schemas JSON schemas", () => {
  const responseSchema = {
    type: "OBJECT",
    propertyOrdering: ["days"],
    properties: {
      days: { type: "INTEGER", nullable: true },
      my_tags: { type: "ARRAY", min_items: "1", items: { type: "STRING", enum: ["a"], nullable: true } },
      either: { anyOf: [{ type: "NUMBER" }, { type: "BOOLEAN" }] },
    },
  };
  const generation_config = {
    temperature: 0.5,
    top_k: 3,
    candidate_count: 2,
    seed: null,
    max_output_tokens: 9,
    stop_sequences: ["END"],
    response_logprobs: true,
    logprobs: 2,
    response_mime_type: "application/json",
    response_schema: responseSchema,
    thinking_config: { thinking_level: "LOW", include_thoughts: true },
  };
  const request = toCamelCase({ generation_config, safety_settings: [{ category: "HARM_CATEGORY_HATE_SPEECH" }] });
  const { messages: _, ...parameters } = ask(Object(request));
  expect(parameters).toEqual({
    model,
    temperature: 0.5,
    top_k: 3,
    n: 2,
    max_tokens: 9,
    stop: ["END"],
    logprobs: true,
    top_logprobs: 2,
    reasoning_effort: "low",
    thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true },
    safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH" }],
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "response",
        schema: {
          type: "object",
          properties: {
            days: { type: ["integer", "null"] },
            my_tags: { type: "array", minItems: 1, items: { type: ["string", "null"], enum: ["a", null] } },
            either: { anyOf: [{ type: "number" }, { type: "boolean" }] },
          },
        },
      },
    },
  });
  const json = ask({ generationConfig: { responseMimeType: "application/json" } });
  expect(json.response_format).toEqual({ type: "json_object" });
});

it("functions may be called freely, never, at all, or some of them", () => {
  const tools = [{ functionDeclarations: [{ name: "look" }, { name: "listen" }] }];
  const choose = (functionCallingConfig: object) => ask({ tools, toolConfig: { functionCallingConfig } }).tool_choice;
  const look = { type: "function", function: { name: "look" } };
  const both = [look, { type: "function", function: { name: "listen" } }];
  expect(choose({})).toBe("auto");
  expect(choose({ mode: "NONE" })).toBe("none");
  expect(choose({ mode: "ANY" })).toBe("required");
  expect(choose({ mode: "ANY", allowedFunctionNames: ["look"] })).toEqual(look);
  expect(choose({ mode: "ANY", allowedFunctionNames: ["look", "listen"] })).toEqual({
    type: "allowed_tools",
    allowed_tools: { mode: "required", tools: both },
  });
  expect(choose({ mode: "VALIDATED", allowedFunctionNames: ["look"] })).toEqual({
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [look] },
  });
});

it("a stream has texts as they come, and calls, ends and the usage in its last event", async () => {
  const about = { id: "chatcmpl-1", created: 1, model, object: "chat.completion.chunk" as const };
  const chunk = (delta: ChatDelta, index = 0, finish: "stop" | "tool_calls" | null = null): ChatCompletionChunk => ({
    ...about,
    choices: [{ index, delta, finish_reason: finish }],
  });
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 7,
    total_tokens: 12,
    completion_tokens_details: { reasoning_tokens: 3 },
  };
  async function* chunks(): AsyncGenerator<ChatCompletionChunk> {
    yield chunk({ role: "assistant", content: "" });
    yield chunk({ reasoning_content: "Hm." });
    yield chunk({ content: "Lo" });
    yield chunk({ content: "Yes." }, 1);
    yield chunk({ tool_calls: [{ index: 0, id: "call_1", function: { name: "look", arguments: '{"at"' } }] });
    yield chunk({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] });
    yield chunk({}, 0, "tool_calls");
    yield chunk({}, 1, "stop");
    yield { ...about, choices: [], usage };
  }
  const read = (withThoughts: boolean) =>
    Array.fromAsync(toGenerateEvents(chunks(), { withThoughts }), (event) =>
      generateAnswerSchema.parse(JSON.parse(event.replace(/^data: /, ""))),
    );
  const events = await read(false);
  expect(events.flatMap(({ candidates }) => candidates.map(({ index, content }) => [index, content.parts]))).toEqual([
    [0, [{ text: "Lo" }]],
    [1, [{ text: "Yes." }]],
    [0, [{ functionCall: { id: "call_1", name: "look", args: { at: 1 } } }]],
    [1, [{ text: "" }]],
  ]);
  expect(events.at(-1)).toMatchObject({
    candidates: [{ finishReason: "STOP" }, { finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 12 },
    responseId: "1",
  });
  expect((await read(true))[0]?.candidates[0]?.content.parts).toEqual([{ text: "Hm.", thought: true }]);
});
