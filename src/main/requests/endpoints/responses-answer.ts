import type {
  FinishReason,
  ModelResponse,
  OutputItem,
  ResponseRequest,
  ResponseUsage,
  TokenLogprob,
  ToolCall,
} from "#contract";
import { type ReadChoice, type ReadUsage, readBase64 } from "#main/answers";
import type { AnswerFacts, JsonObject } from "./translation.ts";

/** The parameters that an answer repeats, with what they are when a request leaves them out. */
const repeated: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: true,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
};

/** A response before anything is written. */
export function beginResponse(request: ResponseRequest, { id, created }: AnswerFacts): ModelResponse {
  const given = Object.entries(repeated).map(([name, usual]) => [name, request[name] ?? usual]);
  return {
    id,
    object: "response",
    created_at: created,
    completed_at: null,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    model: request.model,
    output: [],
    previous_response_id: request.previous_response_id ?? null,
    usage: null,
    ...Object.fromEntries(given),
  };
}

/** Why an answer ended before its end; null for one that is whole. */
export function findGap(reason: FinishReason): { readonly reason: string } | null {
  if (reason === "length") return { reason: "max_output_tokens" };
  return reason === "content_filter" ? { reason } : null;
}

/** A response with its output. */
export function endResponse(
  begun: ModelResponse,
  output: OutputItem[],
  reason: FinishReason,
  usage: ReadUsage | null,
  completed: number,
): ModelResponse {
  const gap = findGap(reason);
  return {
    ...begun,
    completed_at: gap === null ? completed : null,
    status: gap === null ? "completed" : "incomplete",
    incomplete_details: gap,
    output,
    usage: usage && toUsage(usage),
  };
}

function toUsage(usage: ReadUsage): ResponseUsage {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cached_tokens },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
    total_tokens: total,
  };
}

type Status = "in_progress" | "completed" | "incomplete";

/** The items that an answer is made of, each with an id that follows from the answer's. */
export function createItems(responseId: string, request: ResponseRequest) {
  let count = 0;
  const nextId = (prefix: string): string => {
    count += 1;
    return `${prefix}_${responseId.replace(/^resp_/, "")}${count}`;
  };
  const wantsSecret = (request.include ?? []).includes("reasoning.encrypted_content");

  return {
    /** Its text is its summary where one is asked for; otherwise it is the reasoning itself. */
    reasoning: (text: string, id = nextId("rs")) => ({
      id,
      type: "reasoning",
      summary: text !== "" && isSummarized(request) ? [{ type: "summary_text", text }] : [],
      ...(text !== "" && !isSummarized(request) ? { content: [{ type: "reasoning_text", text }] } : {}),
      ...(wantsSecret ? { encrypted_content: Buffer.from(text).toString("base64") } : {}),
    }),
    message: (content: readonly JsonObject[], status: Status, id = nextId("msg")) => ({
      id,
      type: "message",
      status,
      role: "assistant",
      content,
    }),
    /** Of one that came along the data, of any other its address. */
    picture: (url: string, id = nextId("ig")) => ({
      id,
      type: "image_generation_call",
      status: "completed",
      result: readBase64(url)?.data ?? url,
    }),
    call: (call: ToolCall, status: Status, id = nextId(call.type === "custom" ? "ctc" : "fc")) =>
      call.type === "custom"
        ? { id, type: "custom_tool_call", status, call_id: call.id, ...call.custom }
        : { id, type: "function_call", status, call_id: call.id, ...call.function },
  };
}
export type Items = ReturnType<typeof createItems>;

/** Whether reasoning is shown as a summary. */
export function isSummarized({ reasoning }: ResponseRequest): boolean {
  return Boolean(reasoning?.summary);
}

/** The text of a message as a part of it. */
export function writeText(text: string, logprobs: readonly TokenLogprob[]): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs };
}

/** What the model wrote, as items: its reasoning, its message, its calls of tools. */
export function listOutput(
  message: ReadChoice["message"],
  logprobs: readonly TokenLogprob[] | null,
  reason: FinishReason,
  items: Items,
): OutputItem[] {
  const { content, refusal, reasoning_content: reasoning, pictures, tool_calls: calls } = message;
  const status = findGap(reason) === null ? "completed" : "incomplete";
  const parts = [
    ...(content === null ? [] : [writeText(content, logprobs ?? [])]),
    ...(typeof refusal === "string" ? [{ type: "refusal", refusal }] : []),
  ];
  return [
    ...(reasoning ? [items.reasoning(reasoning)] : []),
    ...(parts.length > 0 ? [items.message(parts, status)] : []),
    ...pictures.map((url) => items.picture(url)),
    ...calls.map((call, at) => items.call(call, at === calls.length - 1 ? status : "completed")),
  ];
}
