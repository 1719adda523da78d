import { type ErrorBody, type FinishReason, readToolCall, type TokenLogprob } from "#contract";
import { type ReadChoice, type ReadUsage, readBase64, readChunks, readCompletion } from "#main/answers";
import type { JsonObject } from "#main/base";
import { parseJson } from "#main/storage";
import type { AnswerPart, Candidate, GeminiError, GenerateAnswer, UsageMetadata } from "./gemini-wire.ts";

interface AnswerOptions {
  /** Whether the model's thoughts are asked for; their tokens are counted in any case. */
  readonly withThoughts: boolean;
}

/** A chat completion as the response that Gemini's API answers with. */
export function toGenerateAnswer(completion: JsonObject, options: AnswerOptions): GenerateAnswer {
  const { id, model, choices, usage } = readCompletion(completion);
  return {
    candidates: choices.map((choice) => toCandidate(choice, options)),
    ...(usage === null ? {} : { usageMetadata: toUsage(usage) }),
    modelVersion: model,
    responseId: toResponseId(id),
  };
}

function toResponseId(id: string): string {
  return id.replace(/^chatcmpl-/, "");
}

function toCandidate(
  { index, message, finish_reason: finish, logprobs }: ReadChoice,
  { withThoughts }: AnswerOptions,
): Candidate {
  const { content, reasoning_content: reasoning, pictures, tool_calls: calls } = message;
  const parts: AnswerPart[] = [
    ...(reasoning && withThoughts ? [{ text: reasoning, thought: true as const }] : []),
    ...(content ? [{ text: content }] : []),
    ...pictures.map(toPicturePart),
    ...calls.map((call) => toCallPart(call.id, readToolCall(call))),
  ];
  return {
    content: { role: "model", parts: parts.length > 0 ? parts : [{ text: "" }] },
    finishReason: finishReasons[finish],
    index,
    ...toLogprobs(logprobs?.content ?? []),
  };
}

/** A picture that came along is data, any other a file elsewhere. */
function toPicturePart(url: string): AnswerPart {
  const inlineData = readBase64(url);
  return inlineData === null ? { fileData: { fileUri: url } } : { inlineData };
}

function toCallPart(id: string, { name, input }: { readonly name: string; readonly input: string }): AnswerPart {
  const args = parseJson(input);
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return { functionCall: { id, name, args: isObject ? { ...args } : { input } } };
}

const finishReasons: Readonly<Record<FinishReason, NonNullable<Candidate["finishReason"]>>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  tool_calls: "STOP",
  function_call: "STOP",
  content_filter: "SAFETY",
};

type Logprobs = readonly TokenLogprob[];

function toLogprobs(tokens: Logprobs): Pick<Candidate, "avgLogprobs" | "logprobsResult"> {
  if (tokens.length === 0) return {};
  const toLogprob = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob });
  return {
    avgLogprobs: tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length,
    logprobsResult: {
      chosenCandidates: tokens.map(toLogprob),
      topCandidates: tokens.map(({ top_logprobs: top }) => ({ candidates: top.map(toLogprob) })),
    },
  };
}

/** The tokens of thoughts are not among those of the candidates here. */
function toUsage(usage: ReadUsage): UsageMetadata {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const { reasoning_tokens: thoughts, cached_tokens: cached } = usage;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - (thoughts ?? 0),
    totalTokenCount: prompt + completion,
    ...(thoughts ? { thoughtsTokenCount: thoughts } : {}),
    ...(cached ? { cachedContentTokenCount: cached } : {}),
  };
}

/** What a choice of a stream has come to. */
interface OpenChoice {
  readonly calls: { id: string; name: string; input: string }[];
  readonly logprobs: TokenLogprob[];
  finish: FinishReason;
}

/**
 * The chunks of a chat completion as the events of a stream: texts as they come; calls, which are whole here, with the end and
 * the usage in the last event.
 */
export async function* toGenerateEvents(
  chunks: AsyncIterable<JsonObject>,
  { withThoughts }: AnswerOptions,
): AsyncGenerator<string, void> {
  const open = new Map<number, OpenChoice>();
  let about = { modelVersion: "", responseId: "" };
  let usage: UsageMetadata | undefined;
  for await (const chunk of readChunks(chunks)) {
    about = { modelVersion: chunk.model, responseId: toResponseId(chunk.id) };
    if (chunk.usage) usage = toUsage(chunk.usage);
    for (const { index, delta, finish_reason: finish, logprobs } of chunk.choices) {
      const choice = open.get(index) ?? { calls: [], logprobs: [], finish: "stop" };
      open.set(index, choice);
      const { content, reasoning_content: thought, pictures, tool_calls: calls } = delta;
      const parts: AnswerPart[] = [
        ...(thought && withThoughts ? [{ text: thought, thought: true as const }] : []),
        ...(content ? [{ text: content }] : []),
        ...pictures.map(toPicturePart),
      ];
      if (parts.length > 0) yield toEvent({ candidates: [{ content: { role: "model", parts }, index }], ...about });
      for (const { index: at, id, name, input } of calls) {
        const call = choice.calls[at] ?? { id: id ?? `call_${at}`, name: "", input: "" };
        choice.calls[at] = { ...call, name: call.name + name, input: call.input + input };
      }
      choice.logprobs.push(...(logprobs?.content ?? []));
      if (finish !== null) choice.finish = finish;
    }
  }
  const candidates = [...open].map(([index, { calls, finish, logprobs }]): Candidate => {
    const parts = calls.map((call) => toCallPart(call.id, call));
    return {
      content: { role: "model", parts: parts.length > 0 ? parts : [{ text: "" }] },
      finishReason: finishReasons[finish],
      index,
      ...toLogprobs(logprobs),
    };
  });
  yield toEvent({ candidates, ...(usage === undefined ? {} : { usageMetadata: usage }), ...about });
}

function toEvent(answer: GenerateAnswer): string {
  return `data: ${JSON.stringify(answer)}\r\n\r\n`;
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  416: "OUT_OF_RANGE",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** An error in the shape of this API, with its status: a key that is wrong or missing has another one here. */
export function toGeminiError({ error }: ErrorBody, status: number): GeminiError {
  const { message, code } = error;
  if (code === "invalid_api_key") {
    const info = {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "API_KEY_INVALID",
      domain: "googleapis.com",
    };
    return { error: { code: 400, message, status: "INVALID_ARGUMENT", details: [info] } };
  }
  if (status === 401) return { error: { code: 403, message, status: "PERMISSION_DENIED" } };
  const name = statusNames[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code: status, message, status: name } };
}
