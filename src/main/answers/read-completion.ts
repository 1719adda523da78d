import type { FinishReason, ToolCall } from "#contract";
import {
  asCount,
  asIndex,
  asNumber,
  asObject,
  asText,
  asTextOrJson,
  isObject,
  type JsonObject,
  listObjects,
} from "#main/base";
import {
  type ReadContent,
  type ReadLogprobs,
  readCalls,
  readContent,
  readFunction,
  readLogprobs,
  toFinishReason,
} from "./read-message.ts";

/** A chat completion as any service sent it, read for what is made of it: tables, exports, graders, other dialects. */
export interface ReadCompletion {
  readonly id: string;
  /** In Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ReadChoice[];
  /** Null where the service counted nothing. */
  readonly usage: ReadUsage | null;
}

export interface ReadChoice {
  readonly index: number;
  readonly message: ReadContent & {
    readonly tool_calls: readonly ToolCall[];
    readonly function_call: { readonly name: string; readonly arguments: string } | null;
  };
  readonly logprobs: ReadLogprobs | null;
  readonly finish_reason: FinishReason;
  /** The sequence that ended the text, where a server names it. */
  readonly stop_reason: string | null;
}

export interface ReadUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /** Of the prompt's tokens, those that the service had in its cache. */
  readonly cached_tokens: number;
  /** Of the answer's tokens, those of its reasoning; null where that is not told. */
  readonly reasoning_tokens: number | null;
}

/** A piece of a streamed chat completion. */
export interface ReadChunk extends Omit<ReadCompletion, "choices"> {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: ReadDelta;
    readonly logprobs: ReadLogprobs | null;
    readonly finish_reason: FinishReason | null;
    /** The same in the service's own word. */
    readonly finish: string | null;
    readonly stop_reason: string | null;
  }[];
}

export interface ReadDelta extends ReadContent {
  readonly tool_calls: readonly CallPiece[];
}

/** What a chunk adds to a call of a tool: its id and name come with its first piece. */
export interface CallPiece {
  readonly index: number;
  readonly id: string | null;
  readonly type: "function" | "custom";
  readonly name: string;
  readonly input: string;
}

/** Whether a body is an answer of this API: it has a choice in which a model wrote something, or ended without. */
export function isCompletion(value: unknown): value is JsonObject {
  return listObjects(asObject(value).choices).some(
    ({ message, delta, text, finish_reason: reason }) =>
      isObject(message) || isObject(delta) || typeof text === "string" || typeof reason === "string",
  );
}

/** Reads a chat completion. What it lacks is empty: no answer is refused, and nothing is counted here. */
export function readCompletion(body: JsonObject): ReadCompletion {
  return { ...readHead(body), choices: listObjects(body.choices).map(readChoice) };
}

function readHead({ id, created, model, usage }: JsonObject): Omit<ReadCompletion, "choices"> {
  return {
    id: asTextOrJson(id) ?? "",
    created: Math.floor(asNumber(created) ?? 0),
    model: asText(model) ?? "",
    usage: readUsage(usage),
  };
}

/** A choice of a chat completion; of a text completion, or with a `delta` in place of a message, as some servers send one. */
function readChoice(choice: JsonObject, at = 0): ReadChoice {
  const message = isObject(choice.message)
    ? choice.message
    : isObject(choice.delta)
      ? choice.delta
      : { content: choice.text };
  const calls = readCalls(message);
  const reason = asText(choice.finish_reason) ?? asText(choice.finishReason);
  return {
    index: asIndex(choice.index, at),
    message: {
      ...readContent(message),
      tool_calls: calls,
      function_call: isObject(message.function_call) ? readFunction(message.function_call) : null,
    },
    logprobs: readLogprobs(choice.logprobs),
    finish_reason: reason === null ? (calls.length > 0 ? "tool_calls" : "stop") : toFinishReason(reason),
    stop_reason: asText(choice.stop_reason),
  };
}

/** The counts of a service, in the names of any dialect; null where one of the two that matter can't be told. */
export function readUsage(value: unknown): ReadUsage | null {
  const { prompt, completion, ...details } = readTokens(value);
  if (prompt === null || completion === null) return null;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

/** The same one by one: a service may count the prompt alone. */
export function readTokens(value: unknown) {
  const usage = asObject(value);
  const prompt = asCount(usage.prompt_tokens ?? usage.input_tokens);
  const total = asCount(usage.total_tokens);
  const rest = prompt !== null && total !== null && total >= prompt ? total - prompt : null;
  const { cached_tokens: cached } = asObject(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const { reasoning_tokens: reasoning } = asObject(usage.completion_tokens_details ?? usage.output_tokens_details);
  return {
    prompt,
    completion: asCount(usage.completion_tokens ?? usage.output_tokens ?? rest),
    cached_tokens: asCount(cached) ?? 0,
    reasoning_tokens: asCount(reasoning),
  };
}

/** Reads a chunk of a stream, by the same rules. */
export function readChunk(chunk: JsonObject): ReadChunk {
  return {
    ...readHead(chunk),
    choices: listObjects(chunk.choices).map((choice, at) => {
      const delta = isObject(choice.delta)
        ? choice.delta
        : isObject(choice.message)
          ? choice.message
          : { content: choice.text };
      const reason = asText(choice.finish_reason);
      return {
        index: asIndex(choice.index, at),
        delta: { ...readContent(delta), tool_calls: listPieces(delta) },
        logprobs: readLogprobs(choice.logprobs),
        finish_reason: reason === null || reason === "" ? null : toFinishReason(reason),
        finish: reason || null,
        stop_reason: asText(choice.stop_reason),
      };
    }),
  };
}

function listPieces(delta: JsonObject): CallPiece[] {
  const older = isObject(delta.function_call) ? [{ function: delta.function_call }] : [];
  return [...listObjects(delta.tool_calls), ...older].map((call, at) => {
    const { index, id, type, function: called, custom } = call as JsonObject;
    const isCustom = type === "custom" || (isObject(custom) && !isObject(called));
    const piece = isCustom ? asObject(custom) : readFunction(isObject(called) ? called : (call as JsonObject));
    return {
      index: asIndex(index, at),
      id: asText(id) || null,
      type: isCustom ? "custom" : "function",
      name: asText(piece.name) ?? "",
      input: asTextOrJson("arguments" in piece ? piece.arguments : (piece as JsonObject).input) ?? "",
    };
  });
}

/** The chunks of a stream, read one by one. One without a choice and without token counts has nothing of the answer. */
export async function* readChunks(chunks: AsyncIterable<JsonObject>): AsyncGenerator<ReadChunk, void> {
  for await (const chunk of chunks) {
    const read = readChunk(chunk);
    if (read.choices.length > 0 || read.usage !== null) yield read;
  }
}
