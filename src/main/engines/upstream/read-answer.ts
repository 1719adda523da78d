import { z } from "zod";
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatRequest,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  finishReasonSchema,
  usageSchema,
} from "#contract";
import { countPromptTokens, countTokens } from "#main/requests";
import { parseJson } from "#main/storage";
import { findError } from "./failures.ts";

/** What an answer may lack that clients count on: it is added, and nothing of what it has is taken away. */
export interface Additions {
  readonly id: string;
  /** In Unix seconds. */
  readonly created: number;
  readonly request: ChatRequest;
}

// To make a schema takes longer than to read an answer by it: all are made once.
const anyFinish = finishReasonSchema.catch("stop");
const anyFinishSoFar = finishReasonSchema.nullable().catch(null);
const anyObject = z.looseObject({});
const anyList = z.array(anyObject);

/** A count; some servers write it as text, or with decimals. */
const looseCount = z.preprocess(
  (value) => (typeof value === "string" ? Number.parseFloat(value) : value),
  z.number().min(0).transform(Math.round).pipe(z.int()),
);
const looseUsage = z.looseObject({
  prompt_tokens: looseCount,
  completion_tokens: looseCount.optional(),
  total_tokens: looseCount.optional(),
});

/** A chat completion of the upstream. Null when it is none, whatever is added. */
export function readCompletion(value: unknown, additions: Additions): ChatCompletion | null {
  const body = anyObject.safeParse(value);
  if (!body.success) return null;
  const choices = anyList.safeParse(body.data.choices);
  if (!choices.success || choices.data.length === 0) return null;
  const complete = choices.data.map((choice, index) => ({
    ...choice,
    index: choice.index ?? index,
    message: completeMessage(choice.message),
    // The answer counts, also where its likelihoods have a form of their own.
    ...("logprobs" in choice && { logprobs: completeLogprobs(choice.logprobs) }),
    finish_reason: anyFinish.parse(choice.finish_reason),
  }));
  const { success, data } = chatCompletionSchema.safeParse({
    ...common(body.data, additions),
    object: "chat.completion",
    choices: complete,
    usage: readUsage(body.data.usage) ?? countUsage(complete, additions.request),
  });
  return success ? data : null;
}

/** A chunk of a stream of the upstream. Null when it is none. */
function readChunk(value: unknown, additions: Additions): ChatCompletionChunk | null {
  const body = anyObject.safeParse(value);
  if (!body.success) return null;
  const choices = anyList.safeParse(body.data.choices);
  if (!choices.success) return null;
  const { success, data } = chatCompletionChunkSchema.safeParse({
    ...common(body.data, additions),
    object: "chat.completion.chunk",
    choices: choices.data.map((choice, index) => ({
      ...choice,
      index: choice.index ?? index,
      delta: choice.delta ?? {},
      finish_reason: anyFinishSoFar.parse(choice.finish_reason ?? null),
    })),
  });
  return success ? data : null;
}

function common(body: Record<string, unknown>, { id, created, request }: Additions): Record<string, unknown> {
  return {
    ...body,
    id: typeof body.id === "string" && body.id !== "" ? body.id : id,
    created: looseCount.safeParse(body.created).data ?? created,
    model: typeof body.model === "string" ? body.model : request.model,
  };
}

function completeMessage(message: unknown): unknown {
  const parsed = anyObject.safeParse(message);
  return parsed.success ? { ...parsed.data, role: "assistant", content: readContent(parsed.data.content) } : message;
}

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });

/** The text of a message; some models write it in parts, next to parts with their reasoning. */
function readContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null;
  return content.map((part) => textPart.safeParse(part).data?.text ?? "").join("");
}

const listOr = <T extends z.ZodType, E>(item: T, empty: E) =>
  z
    .array(item)
    .nullish()
    .transform((list) => list ?? empty);
const bytes = listOr(z.int(), null);
const tokens = listOr(
  z.looseObject({
    token: z.string(),
    logprob: z.number(),
    bytes,
    top_logprobs: listOr(z.looseObject({ token: z.string(), logprob: z.number(), bytes }), []),
  }),
  null,
);
const anyLogprobs = z.looseObject({ content: tokens, refusal: tokens });

/** Null for likelihoods of any other form: the answer counts without them. */
function completeLogprobs(logprobs: unknown) {
  return anyLogprobs.safeParse(logprobs).data ?? null;
}

/** Null where the counts make no sense: they are counted here then, and the answer stays. */
function readUsage(usage: unknown) {
  const { data } = looseUsage.safeParse(usage);
  if (data === undefined) return null;
  const { prompt_tokens: prompt, completion_tokens: own, total_tokens: total } = data;
  const completion = own ?? (total === undefined ? undefined : total - prompt);
  if (completion === undefined) return null;
  const complete = { ...data, completion_tokens: completion, total_tokens: total ?? prompt + completion };
  return usageSchema.safeParse(complete).data ?? null;
}

const withContent = z.object({ message: z.object({ content: z.string() }) });

function countUsage(choices: readonly Record<string, unknown>[], request: ChatRequest) {
  const promptTokens = countPromptTokens(request.messages);
  const completionTokens = choices.reduce((total, choice) => {
    const { data } = withContent.safeParse(choice);
    return total + countTokens(data?.message.content ?? "");
  }, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** The chunks of a stream. Throws when it breaks off before its `[DONE]`, or has something else in it. */
export async function* readChunks(
  events: AsyncIterable<string>,
  additions: Additions,
): AsyncGenerator<ChatCompletionChunk, void> {
  for await (const data of events) {
    if (data === "[DONE]") return;
    const value = parseJson(data);
    const error = findError(value);
    if (error !== null) throw new Error(`The upstream's stream ended with an error: ${error.message}`);
    const chunk = readChunk(value, additions);
    if (chunk === null) throw new Error("The upstream's stream has an event that is no chunk of a chat completion.");
    yield chunk;
  }
  throw new Error("The upstream's stream broke off before its end.");
}
