import type { ChatCompletionChunk } from "#contract";
import type { Clock } from "../../ports.ts";
import { drawLogNormal, type Pace } from "./pace.ts";
import { createRandom } from "./random.ts";

/** Milliseconds until the first chunk of a stream, and from each to the next. */
export interface StreamPace {
  readonly first: number;
  readonly next: number;
}

const medianFirst = 300;
const firstSpread = 0.45;
const tokensPerSecond = 60;

/** The pace of one stream: as from a real model, or spread evenly so that it takes the time of an answer in one piece. */
export function drawStreamPace(pace: Pace, start: number, chunks: number): StreamPace {
  if (pace === "instant") return { first: 0, next: 0 };
  if (pace !== "realistic") return { first: pace / chunks, next: pace / chunks };
  const first = Math.round(drawLogNormal(medianFirst, firstSpread, createRandom(start)));
  return { first, next: 1_000 / tokensPerSecond };
}

/** The chunks, each at its time after now. One that comes late does not make the next ones late. */
export async function* paceChunks(
  chunks: readonly ChatCompletionChunk[],
  { first, next }: StreamPace,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk, void> {
  const start = clock.now();
  for (const [at, chunk] of chunks.entries()) {
    const wait = first + at * next - (clock.now() - start);
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
    yield chunk;
  }
}
