import type { ChatCompletionChunk, ChatDelta, ChatRequest, TokenLogprob, ToolCall } from "#contract";
import { isAnswered, type ReadChoice, readCompletion } from "#main/answers";
import type { EngineReply, EngineStream, JsonObject } from "#main/base";
import { splitTokens } from "#main/requests";

/** A whole answer as a stream whose chunks are there at once; an error stays what it is. */
export function streamReply(reply: EngineReply, request: ChatRequest): EngineStream {
  if (!isAnswered(reply)) return reply;
  return { statusCode: 200, chunks: iterate(() => toChunks(reply.body, request)) };
}

async function* iterate<T>(start: () => Iterable<T>): AsyncGenerator<T, void> {
  yield* start();
}

type ChunkChoice = ChatCompletionChunk["choices"][number];

/**
 * The chunks that a whole answer comes in, a token in each: the role of every choice, then its text or calls of tools (of
 * several choices by turns), then its finish reason, and last the usage where the request asks for it. `pieces` are those of the
 * text, in place of tokens.
 */
export function* toChunks(
  completion: JsonObject,
  request: ChatRequest,
  pieces?: readonly string[],
): Generator<ChatCompletionChunk, void> {
  const { choices: _, usage, object: _object, ...rest } = completion;
  const { id, created, model, choices } = readCompletion(completion);
  const common = { ...rest, id, created, model, object: "chat.completion.chunk" as const };
  const withUsage = asksForUsage(request) && usage !== undefined && usage !== null;
  const toChunk = (choice: ChunkChoice): ChatCompletionChunk => ({
    ...common,
    choices: [choice],
    ...(withUsage ? { usage: null } : {}),
  });

  let open = choices.map((choice) => splitChoice(choice, pieces));
  while (open.length > 0) {
    const unfinished: typeof open = [];
    for (const parts of open) {
      const { value, done } = parts.next();
      if (done) continue;
      yield toChunk(value);
      unfinished.push(parts);
    }
    open = unfinished;
  }
  if (withUsage) yield { ...common, choices: [], usage: usage as ChatCompletionChunk["usage"] };
}

function asksForUsage({ stream_options: options }: ChatRequest): boolean {
  return options?.include_usage === true;
}

function* splitChoice(
  { index, message, logprobs, finish_reason }: ReadChoice,
  pieces?: readonly string[],
): Generator<ChunkChoice, void> {
  const part = (delta: ChatDelta, token?: TokenLogprob): ChunkChoice => ({
    index,
    delta,
    logprobs: token === undefined ? null : { content: [token], refusal: null },
    finish_reason: null,
  });
  const {
    content,
    refusal,
    reasoning_content: reasoning,
    pictures,
    tool_calls: calls,
    function_call: called,
  } = message;
  yield part({ role: "assistant", content: content === null ? null : "", refusal: null });
  for (const token of splitTokens(reasoning ?? "")) yield part({ reasoning_content: token });
  const tokens = logprobs?.content ?? [];
  // A server may have likelihoods of other tokens, or of the first alone: the text counts.
  const isWhole = tokens.map(({ token }) => token).join("") === content;
  if (isWhole) for (const entry of tokens) yield part({ content: entry.token }, entry);
  else for (const token of pieces ?? splitTokens(content ?? "")) yield part({ content: token });
  if (refusal !== null) yield part({ refusal });
  if (pictures.length > 0) {
    yield part({ images: pictures.map((url) => ({ type: "image_url", image_url: { url } })) });
  }
  for (const [at, call] of calls.entries()) for (const delta of splitCall(call, at)) yield part(delta);
  if (called) for (const delta of splitFunctionCall(called)) yield part(delta);
  yield { ...part({}), finish_reason };
}

function* splitCall(call: ToolCall, index: number): Generator<ChatDelta> {
  const { id, type } = call;
  if (call.type === "custom") {
    yield { tool_calls: [{ index, id, type, custom: { name: call.custom.name, input: "" } }] };
    for (const token of splitTokens(call.custom.input)) yield { tool_calls: [{ index, custom: { input: token } }] };
    return;
  }
  yield { tool_calls: [{ index, id, type, function: { name: call.function.name, arguments: "" } }] };
  for (const token of splitTokens(call.function.arguments)) {
    yield { tool_calls: [{ index, function: { arguments: token } }] };
  }
}

/** A call in the field of the older `functions`. */
function* splitFunctionCall({ name, arguments: text }: FunctionCall): Generator<ChatDelta> {
  yield { function_call: { name, arguments: "" } };
  for (const token of splitTokens(text)) yield { function_call: { arguments: token } };
}

type FunctionCall = NonNullable<ReadChoice["message"]["function_call"]>;
