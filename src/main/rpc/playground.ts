import type { ChatRequest, PlaygroundEvent, PlaygroundRequest } from "#contract";
import { readChunks } from "#main/answers";
import { type Engine, type EngineError, ServiceError } from "#main/base";
import {
  describeErrorStatus,
  describeNetworkError,
  type MissingKey,
  missingKeyOf,
  openDirect,
} from "#main/connections";
import { os, type RpcContext } from "./base.ts";

const never = new AbortController().signal;

/** One conversation with a model, here or at a connection. */
export const playground = os.playground.router({
  ask: os.playground.ask.handler(async function* ({ context, input, signal = never }) {
    const { connectionId } = input;
    if (connectionId === null) {
      yield* ask(context.engine, input, null, context, signal);
      return;
    }
    const engine = await openDirect(context.connections, connectionId, context);
    if (engine === null) throw new ServiceError("not_found", "This connection is no longer there. Choose another.");
    try {
      const connection = await context.connections.find(connectionId);
      const { name = "The service" } = connection ?? {};
      const missingKey = connection ? missingKeyOf(connection, await context.connections.keyOf(connection)) : null;
      yield* ask(engine, input, { name, missingKey }, context, signal);
    } finally {
      await engine.close?.();
    }
  }),
});

/** The connection, as far as messages about its failures need it. */
interface Asked {
  readonly name: string;
  readonly missingKey: MissingKey | null;
}

/** @param asked the connection; null for this computer */
async function* ask(
  engine: Engine,
  input: PlaygroundRequest,
  asked: Asked | null,
  { ids, machine }: Pick<RpcContext, "ids" | "machine">,
  signal: AbortSignal,
): AsyncGenerator<PlaygroundEvent, void> {
  const started = machine.monotonic();
  const call = { request: readMessagesRequest(input), requestId: ids.create("request"), line: null, signal };
  const answer = await engine.stream(call);
  if (!("chunks" in answer)) {
    yield describeFailure(answer, asked);
    return;
  }
  const done = { finish: null, promptTokens: null, completionTokens: null } as {
    -readonly [Field in "finish" | "promptTokens" | "completionTokens"]: Extract<
      PlaygroundEvent,
      { type: "done" }
    >[Field];
  };
  try {
    for await (const { choices, usage } of readChunks(answer.chunks)) {
      const [choice] = choices;
      const { content, reasoning_content: reasoning } = choice?.delta ?? {};
      if (content || reasoning) yield { type: "delta", text: content ?? "", reasoning: reasoning ?? "" };
      done.finish = choice?.finish ?? done.finish;
      done.promptTokens = usage?.prompt_tokens ?? done.promptTokens;
      done.completionTokens = usage?.completion_tokens ?? done.completionTokens;
    }
  } catch (error) {
    signal.throwIfAborted();
    const details = error instanceof Error ? error.message : String(error);
    yield { type: "failed", message: "The answer broke off. Ask again.", details };
    return;
  }
  yield { type: "done", ...done, milliseconds: Math.round(machine.monotonic() - started) };
}

function readMessagesRequest({ model, messages, temperature, topP, maxTokens }: PlaygroundRequest): ChatRequest {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
  };
}

function describeFailure({ statusCode, body, cause, isSettled }: EngineError, asked: Asked | null): PlaygroundEvent {
  const { error } = body;
  const details = JSON.stringify({ status: statusCode, ...body });
  if (asked === null || isSettled === true) return { type: "failed", message: error.message, details };
  const { code, message, nextStep, isPassing } =
    cause === undefined
      ? describeErrorStatus(statusCode, JSON.stringify(error), asked.name, null, asked.missingKey)
      : describeNetworkError(cause, asked.name);
  const next = isPassing && code !== "unreachable" ? "Ask again in a moment." : nextStep;
  return { type: "failed", message: `${message} ${next}`, details };
}
