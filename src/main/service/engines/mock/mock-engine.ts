import type { ChatCompletion, ChatRequest } from "#contract";
import { createModelCatalog } from "../../models/index.ts";
import type { Clock, Engine, EngineReply, EngineStream, Ids } from "../../ports.ts";
import { toChunks } from "../to-chunks.ts";
import { composeCompletion } from "./compose-completion.ts";
import { describeFailure } from "./describe-failure.ts";
import { concurrencyOf, describePace, drawLatency, type Pace } from "./pace.ts";
import { deriveStarts } from "./random.ts";
import { drawStreamPace, paceChunks } from "./stream-pace.ts";

export interface MockEngineOptions {
  readonly pace: Pace;
  /** Another seed gives other answers; the same seed gives the same answer to the same request. */
  readonly seed: number;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Whether the model of this name reasons before it answers; the R1 model unless told. */
  readonly reasons?: (model: string) => boolean;
}

/**
 * An engine that needs no model: it answers every request in a few sentences that refer to its last user message, in JSON
 * by a schema, or with calls of tools, and with the token counts that such an answer has. Text, finish reason, usage and
 * latency follow from the seed and the request, and are the same for a stream.
 */
export function createMockEngine({ pace, seed, clock, ids, reasons = isR1 }: MockEngineOptions): Engine {
  async function answer(request: ChatRequest, start: number): Promise<ChatCompletion> {
    const composed = await composeCompletion(request, start, reasons(request.model));
    return {
      id: ids.create("completion"),
      object: "chat.completion",
      created: Math.floor(clock.now() / 1_000),
      model: request.model,
      ...composed,
      system_fingerprint: `fp_mock_${seed}`,
    };
  }

  return {
    description: `mock, ${describePace(pace)}, seed ${seed}`,
    concurrency: concurrencyOf(pace),
    async complete({ request, signal }): Promise<EngineReply> {
      signal.throwIfAborted();
      try {
        const starts = deriveStarts(seed, withoutStream(request));
        const latency = drawLatency(pace, starts.pace);
        if (latency > 0) await clock.sleep(latency, signal);
        return { statusCode: 200, body: await answer(request, starts.answer) };
      } catch (error) {
        return describeFailure(error, request);
      }
    },
    async stream({ request, signal }): Promise<EngineStream> {
      signal.throwIfAborted();
      try {
        const starts = deriveStarts(seed, withoutStream(request));
        const chunks = [...toChunks(await answer(request, starts.answer), request)];
        const streamPace = drawStreamPace(pace, starts.pace, chunks.length);
        return { statusCode: 200, chunks: paceChunks(chunks, streamPace, clock, signal) };
      } catch (error) {
        return describeFailure(error, request);
      }
    },
  };
}

/** Whether an answer is streamed does not change what it says. */
function withoutStream({ stream: _, stream_options: __, ...question }: ChatRequest): unknown {
  return question;
}

const models = createModelCatalog("standard");

function isR1(model: string): boolean {
  return models.find(model)?.reasoning ?? false;
}
