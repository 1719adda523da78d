import type { ChatCompletionChunk } from "#contract";
import type { Clock } from "#main/base";
import { createRandom, type Random } from "../random.ts";

/** How fast answers come: at once, as from a real model, or after so many milliseconds each. */
export type Pace = "instant" | "realistic" | number;

/** Log-normal, as measured latencies of hosted models are: half of the answers come within the median. */
const medianLatency = 800;
const latencySpread = 0.45;

/** Milliseconds that one answer takes. */
export function drawLatency(pace: Pace, start: number): number {
  if (pace === "instant") return 0;
  if (pace !== "realistic") return pace;
  return Math.round(drawLogNormal(medianLatency, latencySpread, createRandom(start)));
}

/** A log-normal number: half of all draws are below the median, and there is a long tail above. */
function drawLogNormal(median: number, spread: number, random: Random): number {
  // Box–Muller: two even draws make a normal one. The first must not be 0.
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return median * Math.exp(spread * normal);
}

/** How many answers are under way at a time: ten as with a hosted service, more where none takes any time. */
export function concurrencyOf(pace: Pace): number {
  return pace === "instant" || pace === 0 ? 32 : 10;
}

export function describePace(pace: Pace): string {
  return typeof pace === "number" ? `${pace} ms each` : `${pace} pace`;
}

/** Milliseconds until the first chunk of a stream, and from each to the next. */
interface StreamPace {
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
  const start = clock.monotonic();
  for (const [at, chunk] of chunks.entries()) {
    const wait = first + at * next - (clock.monotonic() - start);
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
    yield chunk;
  }
}
