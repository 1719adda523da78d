import type { Clock } from "../ports.ts";

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
  /** Lines a second, one sample a second; on long runs one in two, four … seconds. */
  throughput(): number[];
}

/** A meter that starts now, with `answered` lines done before. */
export function createRateMeter(clock: Clock, answered: number): RateMeter {
  const start = clock.now();
  let last = answered;
  let marks = [{ at: start, answered }];
  let samples: number[] = [];
  let sampleLength = 1_000;

  function recordSample(count: number): void {
    let at = Math.floor((clock.now() - start) / sampleLength);
    while (at >= mostSamples) {
      samples = Array.from({ length: Math.ceil(samples.length / 2) }, (_, pair) => {
        return (samples[2 * pair] ?? 0) + (samples[2 * pair + 1] ?? 0);
      });
      sampleLength *= 2;
      at = Math.floor((clock.now() - start) / sampleLength);
    }
    while (samples.length <= at) samples.push(0);
    samples[at] = (samples[at] ?? 0) + count;
  }

  return {
    record(now) {
      recordSample(now - last);
      last = now;
      const at = clock.now();
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
    throughput() {
      // The latest sample still fills, unless it is the only one.
      const whole = samples.length > 1 ? samples.slice(0, -1) : samples;
      return whole.map((count) => (count * 1_000) / sampleLength);
    },
  };
}
