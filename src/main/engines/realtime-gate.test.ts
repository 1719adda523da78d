import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createManualClock } from "#main/base";
import { createRealtimeGate, type Entry, realtimeLimits } from "./realtime-gate.ts";

const leave = (entry: Entry) => {
  expect(entry.admitted).toBe(true);
  if (entry.admitted) entry.leave();
};

describe.each([
  ["free", 1, 2],
  ["standard", 60, 10],
] as const)("the %s tier", (tier, perMinute, concurrency) => {
  test(`takes ${perMinute} a minute, and the next as soon as the first is a minute old`, async () => {
    const clock = createManualClock();
    const gate = createRealtimeGate(() => realtimeLimits[tier], clock);
    for (let count = 0; count < perMinute; count++) leave(gate.enter());
    expect(gate.enter()).toMatchObject({ admitted: false, retryAfter: 60_000 });
    await clock.advance(59_999);
    expect(gate.enter()).toMatchObject({ admitted: false, retryAfter: 1 });
    await clock.advance(1);
    leave(gate.enter());
  });

  test(`has at most ${concurrency} under way`, async () => {
    const clock = createManualClock();
    const gate = createRealtimeGate(() => realtimeLimits[tier], clock);
    const inside: Entry[] = [];
    for (let count = 0; count < concurrency; count++) {
      inside.push(gate.enter());
      if (gate.allowance().remaining === 0) await clock.advance(60_000);
    }
    expect(inside.every((entry) => entry.admitted)).toBe(true);
    expect(gate.enter()).toMatchObject({ admitted: false, retryAfter: 1_000 });
    for (const entry of inside.slice(0, 1)) leave(entry);
    leave(gate.enter());
  });
});

test("the allowance tells how many are left, and when all of them are there again", async () => {
  const clock = createManualClock();
  const gate = createRealtimeGate(() => ({ concurrency: 9, requestsPerMinute: 3 }), clock);
  expect(gate.allowance()).toEqual({ limit: 3, remaining: 3, reset: 0 });
  leave(gate.enter());
  await clock.advance(20_000);
  leave(gate.enter());
  expect(gate.allowance()).toEqual({ limit: 3, remaining: 1, reset: 60_000 });
  await clock.advance(40_000);
  expect(gate.allowance()).toEqual({ limit: 3, remaining: 2, reset: 20_000 });
});

test("leaving twice gives back one place", () => {
  const gate = createRealtimeGate(() => ({ concurrency: 1, requestsPerMinute: 10 }), createManualClock());
  const first = gate.enter();
  leave(first);
  gate.enter();
  leave(first);
  expect(gate.enter().admitted).toBe(false);
});

test("no minute ever has more calls than the limit, and none is turned away without need", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 }), async (pauses) => {
      const clock = createManualClock(0);
      const gate = createRealtimeGate(() => ({ concurrency: 99, requestsPerMinute: 3 }), clock);
      const admitted: number[] = [];
      for (const pause of pauses) {
        await clock.advance(pause);
        const recent = admitted.filter((at) => at > clock.now() - 60_000).length;
        const entry = gate.enter();
        expect(entry.admitted).toBe(recent < 3);
        if (entry.admitted) admitted.push(clock.now());
      }
    }),
  );
});
