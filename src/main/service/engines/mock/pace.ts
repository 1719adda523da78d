import { createRandom, type Random } from "./random.ts";

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
export function drawLogNormal(median: number, spread: number, random: Random): number {
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
