import type { Clock } from "../ports.ts";
import type { Throughput } from "../store/index.ts";

/** The rate is that of the last seconds, in milliseconds. */
const rateWindow = 5_000;
const markInterval = 100;
/** A shorter time says nothing of a rate. */
const shortestWindow = 200;
/** Most samples of the throughput over time. */
const mostSamples = 120;

/** How fast the lines of one batch are answered. */
export interface RateMeter {
  /** Tells how many lines are answered by now. */
  record(answered: number): void;
  /** Lines a second over the last five; null while there is too little to tell. */
  rate(): number | null;
  /** What was answered until `end` (Unix milliseconds), one sample a second; on long runs one in two, four … seconds. */
  pace(end: number): Throughput;
}

/** Lines a second, of each sample. */
export function toThroughput({ sampleLength, samples }: Throughput): number[] {
  return samples.map((count) => (count * 1_000) / sampleLength);
}

/** A meter that starts now, with `answered` lines done before; its pace goes on from the one before. */
export function createRateMeter(clock: Clock, answered: number, before: Throughput | null = null): RateMeter {
  let samples = [...(before?.samples ?? [])];
  let sampleLength = before?.sampleLength ?? 1_000;
  const created = clock.now();
  const start = created - samples.length * sampleLength;
  let last = answered;
  let marks = [{ at: created, answered }];

  /** The sample that a time falls into. Samples are joined in pairs while there would be too many. */
  function sampleAt(time: number): number {
    for (;;) {
      const at = Math.max(0, Math.floor((time - start) / sampleLength));
      if (at < mostSamples) {
        while (samples.length <= at) samples.push(0);
        return at;
      }
      const joined = [];
      for (let first = 0; first < samples.length; first += 2) {
        joined.push((samples[first] ?? 0) + (samples[first + 1] ?? 0));
      }
      samples = joined;
      sampleLength *= 2;
    }
  }

  return {
    record(now) {
      const at = clock.now();
      const sample = sampleAt(at);
      samples[sample] = (samples[sample] ?? 0) + now - last;
      last = now;
      const mark = marks.at(-1);
      if (mark !== undefined && at - mark.at < markInterval) return;
      marks = marks.filter((old) => at - old.at <= rateWindow);
      marks.push({ at, answered: now });
    },
    rate() {
      const now = clock.now();
      const from = marks.find((mark) => now - mark.at <= rateWindow) ?? { at: now - rateWindow, answered: last };
      const elapsed = now - from.at;
      return elapsed < shortestWindow ? null : ((last - from.answered) * 1_000) / elapsed;
    },
    pace(end) {
      // The last sample is of a part of a second only, and left out where there is another.
      const whole = Math.max(1, sampleAt(end));
      return { sampleLength, samples: samples.slice(0, whole) };
    },
  };
}
