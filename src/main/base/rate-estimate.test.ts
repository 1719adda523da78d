import fc from "fast-check";
import { expect, test } from "vitest";
import { createRateEstimate } from "./rate-estimate.ts";

interface Run {
  readonly inFlight: number;
  /** Milliseconds a call before and after the change. */
  readonly latencies: readonly [number, number];
  readonly rounds: readonly [number, number];
  /** How far a call's time is from the latency: 0 has all calls of a round end together. */
  readonly spread: number;
  /** Between the two speeds the service is silent for so many rounds of the first. */
  readonly silence: number;
  readonly seed: number;
}

/** When each result comes, and when the speed changes. Calls that are under way at a change are part of what was before. */
function simulate({ inFlight, latencies, rounds, spread, silence, seed }: Run) {
  let state = seed;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + spread * (2 * (state / 2_147_483_648) - 1);
  };
  const phases: number[][] = [];
  let start = 0;
  for (const [at, latency] of latencies.entries()) {
    const count = inFlight * (rounds[at] ?? 0);
    const free = Array.from({ length: inFlight }, () => start);
    const ends: number[] = [];
    for (let call = 0; call < count; call++) {
      const next = free.indexOf(Math.min(...free));
      const end = (free[next] ?? 0) + latency * draw();
      free[next] = end;
      ends.push(end);
    }
    phases.push(ends.sort((one, other) => one - other));
    start = (ends.at(-1) ?? 0) + (at === 0 ? silence * latency : 0);
  }
  return phases;
}

const runs = fc.record({
  inFlight: fc.constantFrom(1, 2, 3, 8, 64),
  latencies: fc.tuple(fc.constantFrom(200, 1_000, 5_500, 30_000), fc.constantFrom(200, 1_000, 5_500, 30_000, 120_000)),
  rounds: fc.tuple(fc.integer({ min: 6, max: 40 }), fc.integer({ min: 6, max: 40 })),
  spread: fc.constantFrom(0, 0.1, 0.3),
  silence: fc.constantFrom(0, 0, 0.5, 3, 20),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

test("the estimate is within a factor of two from a third of the run on, and two rounds after a change of speed", () => {
  fc.assert(
    fc.property(runs, (run) => {
      const { inFlight, latencies } = run;
      const estimate = createRateEstimate(0, 0);
      let done = 0;
      for (const [phase, ends] of simulate(run).entries()) {
        const latency = latencies[phase] ?? 0;
        const speed = (inFlight * 1_000) / latency;
        const lastEnd = ends.at(-1) ?? 0;
        for (const [at, end] of ends.entries()) {
          done += 1;
          estimate.record(end, done, inFlight);
          if (done < 2 * inFlight && estimate.rate(end) !== null) expect.fail(`a rate after ${done} results`);
          const next = ends[at + 1];
          // The first round after a silence can't be distinguished from it.
          const rounds = run.silence > 0 ? 3 : 2;
          const isSettled = phase === 0 ? at + 1 >= ends.length / 3 : at + 1 >= rounds * inFlight;
          if (!isSettled || at + 1 < 2 * inFlight || next === undefined) continue;
          for (const now of [end, (end + next) / 2, next - 0.001]) {
            const rate = estimate.rate(now) ?? 0;
            if (rate < speed / 2 || rate > 2 * speed) expect.fail(`${rate} and not ${speed}`);
            const left = estimate.timeLeft(now, ends.length - at - 1) ?? 0;
            const actual = lastEnd - now;
            // The last round of a run ends within a round, and no one can say when.
            const isClose = left <= 2 * actual + 1.5 * latency && left >= actual / 2 - 1.5 * latency;
            if (!isClose) expect.fail(`${left} ms left, and not ${actual}`);
          }
        }
      }
    }),
    {
      numRuns: 100,
      // More marks than are kept: some were joined while the speed changed.
      examples: [[{ inFlight: 64, latencies: [30_000, 200], rounds: [39, 6], spread: 0.3, silence: 0, seed: 15 }]],
    },
  );
});

test("silence lowers the rate after a round, and makes the time left longer", () => {
  const estimate = createRateEstimate(0, 0);
  for (let round = 1; round <= 4; round++) {
    for (let call = 1; call <= 10; call++) estimate.record(round * 10_000 + call * 20, (round - 1) * 10 + call, 10);
  }
  const last = 40_200;
  const rates = [0, 9_000, 20_000, 60_000, 600_000].map((silence) => estimate.rate(last + silence) ?? Number.NaN);
  expect(rates[0]).toBeCloseTo(1, 1);
  expect(rates[1]).toBe(rates[0]);
  expect(rates.slice(2)).toEqual(rates.slice(2).sort((one, other) => other - one));
  expect(rates.at(-1)).toBeLessThan(0.1);
  expect(estimate.timeLeft(last + 600_000, 55)).toBeGreaterThan(10 * (estimate.timeLeft(last, 55) ?? 0));
});

test("95 lines in bursts of ten, 5.5 seconds a call: the time left is right between the bursts, too", () => {
  const estimate = createRateEstimate(0, 0);
  const total = 95;
  for (let burst = 1; burst <= 9; burst++) {
    for (let call = 1; call <= 10; call++) estimate.record(burst * 5_500, (burst - 1) * 10 + call, 10);
    const now = burst * 5_500 + 2_500;
    const left = estimate.timeLeft(now, total - burst * 10);
    if (burst < 2) expect(left).toBeNull();
    else expect(left).toBeCloseTo((total - burst * 10) * 550 - 2_500, 0);
  }
});

test("without any round, or where results are counted anew, there is no estimate", () => {
  const estimate = createRateEstimate(1_000, 500);
  expect([estimate.rate(9_000), estimate.timeLeft(9_000, 10)]).toEqual([null, null]);
  estimate.record(2_000, 600, 10);
  expect(estimate.rate(2_000)).toBe(100);
  estimate.record(3_000, 20, 10);
  expect(estimate.rate(3_000)).toBeNull();
});

test("a long run at an even pace keeps few marks, and the rate stays right", () => {
  const estimate = createRateEstimate(0, 0);
  for (let at = 1; at <= 200_000; at++) estimate.record(at * 50, at, 1_000);
  expect(estimate.rate(200_000 * 50)).toBeCloseTo(20, 1);
});
