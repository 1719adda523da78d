import type { ChatCompletion, ChatRequest } from "#contract";
import { createModelCatalog } from "../../models/index.ts";
import type { Clock, Engine, EngineCall, EngineReply, EngineStream, Ids } from "../../ports.ts";
import type { Model } from "../../types.ts";
import { toChunks } from "../to-chunks.ts";
import { createAnswerMemory } from "./answer-memory.ts";
import { type Composition, composeCompletion, loadComposeInstance, needsInstances } from "./compose-completion.ts";
import { describeFailure } from "./describe-failure.ts";
import type { ComposeInstance } from "./instances/index.ts";
import { concurrencyOf, describePace, drawLatency, type Pace } from "./pace.ts";
import { deriveStartsFrom, type Starts } from "./random.ts";
import { drawStreamPace, paceChunks } from "./stream-pace.ts";

export interface MockEngineOptions {
  readonly pace: Pace;
  /** Another seed gives other answers; the same seed gives the same answer to the same request. */
  readonly seed: number;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The models that requests may name, in place of the built-in list: some of them reason before they answer. */
  readonly models?: readonly Model[] | undefined;
}

/**
 * An engine that needs no model: it answers every request in a few sentences that refer to its last user message, in JSON
 * by a schema, or with calls of tools, and with the token counts that such an answer has. Text, finish reason, usage and
 * latency follow from the seed and the request, and are the same for a stream.
 */
export function createMockEngine({ pace, seed, clock, ids, models }: MockEngineOptions): Engine {
  const catalog = createModelCatalog("standard", models);
  const reasons = (model: string) => catalog.find(model)?.reasoning ?? false;
  const fingerprint = `fp_mock_${seed}`;
  const memory = createAnswerMemory<KnownAnswer>();

  /** Composes the answer to a call, or recalls it. Lines of a batch differ from one another: they are not kept. */
  function answer(request: ChatRequest, isLine: boolean, composeInstance: ComposeInstance | null): Answer {
    const question = JSON.stringify(withoutStream(request));
    const known = isLine ? undefined : memory.recall(question);
    if (known !== undefined) return known;
    const starts = deriveStartsFrom(seed, question);
    const composed = { starts, ...composeCompletion(request, starts.answer, reasons(request.model), composeInstance) };
    if (!isLine) memory.keep(question, starts.answer, () => ({ ...composed, written: writeAnswer(request, composed) }));
    return composed;
  }

  /** All of a completion but its id and its time, as JSON without the brace before it. */
  function writeAnswer({ model }: ChatRequest, { choices, usage }: Answer): string {
    return JSON.stringify({ model, choices, usage, system_fingerprint: fingerprint }).slice(1);
  }

  function toCompletion({ model }: ChatRequest, { choices, usage }: Answer): ChatCompletion {
    return {
      id: ids.create("completion"),
      object: "chat.completion",
      created: Math.floor(clock.now() / 1_000),
      model,
      choices,
      usage,
      system_fingerprint: fingerprint,
    };
  }

  function toReply(request: ChatRequest, answered: Answer | KnownAnswer): EngineReply {
    const body = toCompletion(request, answered);
    if (!("written" in answered)) return { statusCode: 200, body };
    const json = `{"id":"${body.id}","object":"chat.completion","created":${body.created},${answered.written}`;
    return { statusCode: 200, body, json };
  }

  /** Answers with what is loaded: at once, unless answers take their time. */
  function reply({ request, signal, line }: EngineCall, composeInstance: ComposeInstance | null) {
    try {
      const answered = answer(request, line !== null, composeInstance);
      const latency = drawLatency(pace, answered.starts.pace);
      return latency > 0
        ? clock.sleep(latency, signal).then(() => toReply(request, answered))
        : toReply(request, answered);
    } catch (error) {
      return describeFailure(error, request);
    }
  }

  return {
    description: `mock, ${describePace(pace)}, seed ${seed}`,
    isMock: true,
    concurrency: concurrencyOf(pace),
    complete(call) {
      call.signal.throwIfAborted();
      if (!needsInstances(call.request)) return reply(call, null);
      return loadComposeInstance().then((composeInstance) => reply(call, composeInstance));
    },
    async stream({ request, signal, line }): Promise<EngineStream> {
      signal.throwIfAborted();
      try {
        const composeInstance = needsInstances(request) ? await loadComposeInstance() : null;
        const composed = answer(request, line !== null, composeInstance);
        const chunks = [...toChunks(toCompletion(request, composed), request)];
        const streamPace = drawStreamPace(pace, composed.starts.pace, chunks.length);
        return { statusCode: 200, chunks: paceChunks(chunks, streamPace, clock, signal) };
      } catch (error) {
        return describeFailure(error, request);
      }
    },
  };
}

interface Answer extends Composition {
  readonly starts: Starts;
}

/** An answer that was asked for again. */
interface KnownAnswer extends Answer {
  readonly written: string;
}

/** Whether an answer is streamed does not change what it says. */
function withoutStream(request: ChatRequest): unknown {
  if (request.stream === undefined && request.stream_options === undefined) return request;
  const { stream: _, stream_options: __, ...question } = request;
  return question;
}
