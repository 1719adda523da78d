import { expect, it } from "vitest";
import type { ChatCompletionChunk, ChatDelta } from "#contract";
import { toMessage, toMessageEvents } from "./anthropic-answer.ts";
import { readMessagesRequest } from "./anthropic-request.ts";
import { messageSchema, messagesRequestSchema } from "./anthropic-wire.ts";

const model = "claude-opus-5-5";
const ask = (request: object) =>
  readMessagesRequest(
    messagesRequestSchema.parse({ model, max_tokens: 9, messages: [{ role: "user", content: "Hi" }], ...request }),
  );

it("a conversation becomes messages: system first, results of tools right after their calls, nothing dropped", () => {
  const cache_control = { type: "ephemeral" as const };
  const { messages } = ask({
    system: [
      { type: "text", text: "Be brief." },
      { type: "text", text: "Be kind.", cache_control },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Read these." },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "image", source: { type: "url", url: "http://127.0.0.1/cat.png" }, cache_control },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "BBBB" },
            title: "Report",
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "Notes" }, context: "Old" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "x" },
          { type: "text", text: "One moment.", citations: null },
          { type: "tool_use", id: "call_1", name: "look", input: { at: 1 }, caller: { type: "direct" } },
          { type: "tool_use", id: "call_2", name: "look", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "And now?" },
          { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "A cat." }] },
          { type: "tool_result", tool_use_id: "call_2", is_error: true },
        ],
      },
    ],
  });
  expect(messages).toEqual([
    {
      role: "system",
      content: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind.", cache_control },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "Read these." },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "http://127.0.0.1/cat.png" }, cache_control },
        { type: "file", file: { file_data: "data:application/pdf;base64,BBBB", filename: "Report" } },
        { type: "text", text: "Notes", context: "Old" },
      ],
    },
    {
      role: "assistant",
      content: "One moment.",
      reasoning_content: "Hm.",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":1}' } },
        { id: "call_2", type: "function", function: { name: "look", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "A cat." },
    { role: "tool", tool_call_id: "call_2", content: "", is_error: true },
    { role: "user", content: "And now?" },
  ]);
});

it("parameters become those of a chat completion", () => {
  const schema = { type: "object" };
  const { messages: _, ...parameters } = ask({
    temperature: 0.5,
    top_k: 3,
    stop_sequences: ["END"],
    stream: true,
    metadata: { user_id: "u-1" },
    thinking: { type: "adaptive" },
    service_tier: "auto",
    output_config: { effort: "max", format: { type: "json_schema", schema } },
    tools: [
      { name: "look", description: "Looks.", input_schema: { type: "object" }, strict: true, defer_loading: true },
    ],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
  });
  expect(parameters).toEqual({
    model,
    max_tokens: 9,
    temperature: 0.5,
    top_k: 3,
    stop: ["END"],
    stream: true,
    stream_options: { include_usage: true },
    user: "u-1",
    thinking: { type: "adaptive" },
    service_tier: "auto",
    reasoning_effort: "xhigh",
    response_format: { type: "json_schema", json_schema: { name: "response", schema } },
    tools: [
      {
        type: "function",
        function: { name: "look", description: "Looks.", strict: true, parameters: { type: "object" } },
        defer_loading: true,
      },
    ],
    tool_choice: "required",
    parallel_tool_calls: false,
  });
});

const about = { id: "chatcmpl-1", created: 1, model };
const call = { id: "call_1", type: "function" as const, function: { name: "look", arguments: '{"at":1}' } };
const usage = {
  prompt_tokens: 10,
  completion_tokens: 7,
  total_tokens: 17,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const blocks = [
  { type: "thinking", thinking: "Hm.", signature: expect.any(String) },
  { type: "text", text: "Look." },
  { type: "tool_use", id: "call_1", name: "look", input: { at: 1 }, caller: { type: "direct" } },
];

it("an answer has its reasoning, its text and its calls as blocks, and what was cached apart", () => {
  const message = { role: "assistant" as const, content: "Look.", reasoning_content: "Hm.", tool_calls: [call] };
  const completion = {
    ...about,
    object: "chat.completion" as const,
    choices: [{ index: 0, message, finish_reason: "tool_calls" as const }],
    usage,
  };
  const answer = toMessage(completion, "batch");
  expect(messageSchema.parse(answer)).toEqual(answer);
  expect(answer).toMatchObject({
    id: "msg_1",
    content: blocks,
    stop_reason: "tool_use",
    usage: {
      input_tokens: 6,
      cache_read_input_tokens: 4,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 2 },
    },
  });
  const endOf = (choice: object) => {
    const { stop_reason, stop_sequence } = toMessage(
      { ...completion, choices: [{ ...completion.choices[0], ...choice }] } as typeof completion,
      "standard",
    );
    return [stop_reason, stop_sequence];
  };
  expect(endOf({ finish_reason: "length" })).toEqual(["max_tokens", null]);
  expect(endOf({ finish_reason: "content_filter" })).toEqual(["refusal", null]);
  expect(endOf({ finish_reason: "stop" })).toEqual(["end_turn", null]);
  // As vLLM and SGLang tell which sequence it was.
  expect(endOf({ finish_reason: "stop", stop_reason: "END" })).toEqual(["stop_sequence", "END"]);
});

it("a stream opens and closes a block for each of them, and ends with the usage", async () => {
  const chunk = (delta: ChatDelta, finish: "tool_calls" | null = null): ChatCompletionChunk => ({
    ...about,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  async function* chunks(): AsyncGenerator<ChatCompletionChunk> {
    yield chunk({ role: "assistant", content: "" });
    yield chunk({ reasoning_content: "Hm." });
    for (const content of ["Lo", "ok."]) yield chunk({ content });
    yield chunk({ tool_calls: [{ index: 0, id: "call_1", function: { name: "look", arguments: "" } }] });
    yield chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at":1}' } }] });
    yield chunk({ tool_calls: [{ index: 1, id: "call_2", function: { name: "look", arguments: "{}" } }] });
    yield chunk({}, "tool_calls");
    yield { ...about, object: "chat.completion.chunk", choices: [], usage };
  }
  const events = await Array.fromAsync(toMessageEvents(chunks(), 10), (event) => {
    const [, name, data = ""] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(event) ?? [];
    const parsed: { type: string; index?: number } = JSON.parse(data);
    expect(parsed.type).toBe(name);
    return parsed;
  });
  expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
    "message_start",
    "ping",
    "content_block_start 0",
    "content_block_delta 0",
    "content_block_delta 0",
    "content_block_stop 0",
    "content_block_start 1",
    "content_block_delta 1",
    "content_block_delta 1",
    "content_block_stop 1",
    "content_block_start 2",
    "content_block_delta 2",
    "content_block_stop 2",
    "content_block_start 3",
    "content_block_delta 3",
    "content_block_stop 3",
    "message_delta",
    "message_stop",
  ]);
  expect(events.at(0)).toMatchObject({ message: { id: "msg_1", content: [], usage: { input_tokens: 10 } } });
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: "tool_use" },
    usage: { input_tokens: 6, output_tokens: 7 },
  });
});
