import type { AssistantMessage, ChatCompletion, ChatRequest, FinishReason } from "#contract";
import { countTokens } from "../../tokens/index.ts";
import { countPromptTokens } from "../prompt.ts";
import type { Reply } from "./rule-schema.ts";

/** The chat completion that a reply's text, JSON or calls of tools make; every choice of the request has the same. */
export function writeCompletion(reply: Reply, request: ChatRequest, id: string, created: number): ChatCompletion {
  const message = writeMessage(reply, id);
  const finish_reason: FinishReason = reply.finish_reason ?? (message.tool_calls === undefined ? "stop" : "tool_calls");
  const count = request.n ?? 1;
  const promptTokens = countPromptTokens(request.messages);
  const completionTokens = count * countMessageTokens(message);
  return {
    id,
    object: "chat.completion",
    created,
    model: request.model,
    choices: Array.from({ length: count }, (_, index) => ({ index, message, logprobs: null, finish_reason })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

function writeMessage({ text, json, tool_calls: calls, reasoning }: Reply, id: string): AssistantMessage {
  const thought = reasoning === undefined ? {} : { reasoning_content: reasoning };
  if (calls === undefined) {
    const content = json === undefined ? (text ?? "") : JSON.stringify(json);
    return { role: "assistant", content, refusal: null, ...thought };
  }
  return {
    role: "assistant",
    content: null,
    refusal: null,
    ...thought,
    tool_calls: calls.map((call, index) => ({
      id: call.id ?? `call_${id.replace(/^chatcmpl-/, "")}_${index}`,
      type: "function",
      function: {
        name: call.name,
        arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
      },
    })),
  };
}

function countMessageTokens({
  content,
  reasoning_content: reasoning,
  tool_calls: calls = [],
}: AssistantMessage): number {
  const texts = [content, reasoning, ...calls.flatMap((call) => [call.function.name, call.function.arguments])];
  return texts.reduce((total, text) => total + countTokens(text ?? ""), 0);
}
