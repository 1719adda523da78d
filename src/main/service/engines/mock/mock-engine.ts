import type { ChatCompletion, ChatRequest } from "#contract";
import { createModelCatalog } from "../../models/index.ts";
import type { Clock, Engine, EngineReply, EngineStream, Ids } from "../../ports.ts";
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
  const memory = createAnswerMemory<Answer>();

  /** Composes the answer to a call, or recalls it. Lines of a batch differ from one another: they are not kept. */
  function answer(request: ChatRequest, isLine: boolean, composeInstance: ComposeInstance | null): Answer {
    const question = JSON.stringify(withoutStream(request));
    const known = isLine ? undefined : memory.recall(question);
    if (known !== undefined) return known;
    const starts = deriveStartsFrom(seed, question);
    const composed = { starts, ...composeCompletion(request, starts.answer, reasons(request.model), composeInstance) };
    if (!isLine) memory.keep(question, composed);
    return composed;
  }

  function toCompletion({ model }: ChatRequest, { choices, usage }: Answer): ChatCompletion {
    return {
      id: ids.create("completion"),
      object: "chat.completion",
      created: Math.floor(clock.now() / 1_000),
      model,
      choices,
      usage,
      system_fingerprint: `fp_mock_${seed}`,
    };
  }

  return {
    description: `mock, ${describePace(pace)}, seed ${seed}`,
    concurrency: concurrencyOf(pace),
    async complete({ request, signal, line }): Promise<EngineReply> {
      signal.throwIfAborted();
      try {
        const composeInstance = needsInstances(request) ? await loadComposeInstance() : null;
        const composed = answer(request, line !== null, composeInstance);
        const latency = drawLatency(pace, composed.starts.pace);
        if (latency > 0) await clock.sleep(latency, signal);
        return { statusCode: 200, body: toCompletion(request, composed) };
      } catch (error) {
        return describeFailure(error, request);
      }
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

/** Whether an answer is streamed does not change what it says. */
function withoutStream(request: ChatRequest): unknown {
  if (request.stream === undefined && request.stream_options === undefined) return request;
  const { stream: _, stream_options: __, ...question } = request;
  return question;
}
