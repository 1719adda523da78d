import { expect, it } from "vitest";
import type { ChatCompletion, ChatRequest } from "#contract";
import {
  generateRequestSchema,
  messagesRequestSchema,
  readGenerateRequest,
  readMessagesRequest,
  toGenerateAnswer,
  toMessage,
} from "#main/requests";
import { fromAnthropic, toAnthropic } from "../../requests/outgoing/translate-anthropic.ts";
import { fromGemini, toGemini } from "../../requests/outgoing/translate-gemini.ts";

const call = { id: "call_1", type: "function" as const, function: { name: "look", arguments: '{"at":1}' } };
const request: ChatRequest = {
  model: "some-model",
  max_tokens: 50,
  temperature: 0.5,
  stop: ["END"],
  user: "u-1",
  reasoning_effort: "low",
  response_format: { type: "json_schema", json_schema: { name: "response", schema: { type: "object" } } },
  tools: [{ type: "function", function: { name: "look", description: "Looks.", parameters: { type: "object" } } }],
  tool_choice: { type: "function", function: { name: "look" } },
  parallel_tool_calls: false,
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      ],
    },
    { role: "assistant", content: "I look.", tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: "A cat." },
    { role: "user", content: "Sure?" },
  ],
};
const completion: ChatCompletion = {
  id: "msg_1",
  object: "chat.completion",
  created: 1,
  model: "some-model",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Sure.", reasoning_content: "Hm.", tool_calls: [call] },
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17, prompt_tokens_details: { cached_tokens: 4 } },
};

it("what a connection sends to Anthropic, the mock server reads as the same request, and the answer comes back the same", () => {
  const translated = toAnthropic(request);
  const params = "params" in translated ? translated.params : {};
  expect(readMessagesRequest(messagesRequestSchema.parse(params))).toEqual(request);
  const returned = fromAnthropic(toMessage({ ...completion, id: "chatcmpl-1" }, "standard"), 1);
  expect(returned).toEqual({ ...completion, service_tier: "standard" });
});

it("… and so it is with Gemini", () => {
  const { user: _, reasoning_effort: _effort, parallel_tool_calls: _parallel, ...own } = request;
  const asked: ChatRequest = {
    ...own,
    n: 2,
    seed: 7,
    presence_penalty: 1,
    messages: own.messages.map((message) => (message.role === "tool" ? { ...message, name: "look" } : message)),
  };
  const translated = toGemini(asked);
  const params = "params" in translated ? translated.params : {};
  expect(readGenerateRequest(generateRequestSchema.parse(params), asked.model)).toEqual(asked);

  const [choice] = completion.choices;
  const message = { ...choice?.message, tool_calls: [{ ...call, id: "call_0_0" }] };
  const answer = { ...completion, id: "1", choices: [{ ...choice, message }] } as ChatCompletion;
  expect(fromGemini(toGenerateAnswer(answer, { withThoughts: true }), "", 1)).toEqual(answer);
});
