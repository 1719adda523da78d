import fc from "fast-check";
import { expect, test } from "vitest";
import { createManualClock } from "#main/base";

import { createRateLimiter } from "./rate-limiter.ts";
import { parseRetryAfter } from "./read-wait.ts";

const minute = 60_000;
const never = new AbortController().signal;

test("whatever comes and costs, no minute has more requests or tokens than the caps", async () => {
  const arrival = fc.record({ wait: fc.integer({ min: 0, max: 30_000 }), tokens: fc.integer({ min: 1, max: 100 }) });
  const caps = fc.record({
    requestsPerMinute: fc.option(fc.integer({ min: 1, max: 10 })),
    tokensPerMinute: fc.option(fc.integer({ min: 100, max: 300 })),
  });
  await fc.assert(
    fc.asyncProperty(caps, fc.array(arrival, { minLength: 1, maxLength: 40 }), async (limits, arrivals) => {
      const clock = createManualClock(0);
      const limiter = createRateLimiter(limits, clock);
      const passed: { at: number; tokens: number }[] = [];
      const all = [];
      for (const { wait, tokens } of arrivals) {
        await clock.advance(wait);
        all.push(limiter.admit(tokens, never).then(() => passed.push({ at: clock.now(), tokens })));
      }
      while (passed.length < arrivals.length) await clock.advance(1_000);
      await Promise.all(all);
      for (const { at } of passed) {
        const inMinute = passed.filter((other) => other.at >= at && other.at < at + minute);
        expect(inMinute.length).toBeLessThanOrEqual(limits.requestsPerMinute ?? Number.POSITIVE_INFINITY);
        const used = inMinute.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(used).toBeLessThanOrEqual(limits.tokensPerMinute ?? Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: 40 },
  );
});

test("tokens that were not used are given back, and those that were used beyond what was expected count", async () => {
  const clock = createManualClock(0);
  const limiter = createRateLimiter({ requestsPerMinute: null, tokensPerMinute: 100 }, clock);
  (await limiter.admit(90, never)).settle(10);
  (await limiter.admit(50, never)).settle(100);
  let isIn = false;
  const third = limiter.admit(1, never).then(() => {
    isIn = true;
  });
  await clock.advance(minute - 1);
  expect(isIn).toBe(false);
  await clock.advance(1);
  await third;
});

test("a request of more tokens than the cap goes alone, once the minute is empty", async () => {
  const clock = createManualClock(0);
  const limiter = createRateLimiter({ requestsPerMinute: null, tokensPerMinute: 100 }, clock);
  await limiter.admit(10, never);
  const large = limiter.admit(1_000, never);
  await clock.advance(minute);
  await large;
});

test("one that gives up makes way for those behind it", async () => {
  const clock = createManualClock(0);
  const limiter = createRateLimiter({ requestsPerMinute: 1, tokensPerMinute: null }, clock);
  await limiter.admit(1, never);
  const stop = new AbortController();
  const first = limiter.admit(1, stop.signal);
  const second = limiter.admit(1, never);
  stop.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await clock.advance(minute);
  await second;
});

test("a pause holds all back, also without caps", async () => {
  const clock = createManualClock(0);
  const limiter = createRateLimiter({ requestsPerMinute: null, tokensPerMinute: null }, clock);
  limiter.pause(500);
  let passed = 0;
  const both = [1, 2].map(() => limiter.admit(1, never).then(() => (passed += 1)));
  await clock.advance(499);
  expect(passed).toBe(0);
  await clock.advance(1);
  await Promise.all(both);
});

test.each([
  ["2", 2_000],
  ["0.5", 500],
  [" 7 ", 7_000],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ["soon", null],
  ["-1", null],
  ["86401", null],
  ["99999999999999", null],
  ["Sat, 01 Jan 2050 00:00:00 GMT", null],
  [undefined, null],
])("retry-after %j is a wait of %j milliseconds", (header, wait) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(wait);
});
