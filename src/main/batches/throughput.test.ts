import { expect, onTestFinished, test } from "vitest";
import { createManualClock, createSystemMachine } from "#main/base";
import { type BatchRecord, openStore } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import { makeBatchRecord } from "../service/testing/index.ts";
import { createRateMeter, createThroughputTracker, toRates } from "./throughput.ts";

test("the throughput has one sample for each whole second, also for those in which nothing came", async () => {
  const clock = createManualClock();
  const meter = createRateMeter(clock, 5);
  meter.record(8, 1);
  await clock.advance(1_500);
  meter.record(10, 1);
  await clock.advance(2_000);
  expect(toRates(meter.throughput(clock.now()))).toEqual([3, 2, 0]);
});

test("where fewer lines are answered than before, no sample and no rate is below zero", async () => {
  const clock = createManualClock();
  const meter = createRateMeter(clock, 5);
  await clock.advance(1_000);
  meter.record(3, 1);
  await clock.advance(1_000);
  expect(meter.rate()).toBeNull();
  meter.record(4, 1);
  await clock.advance(1_000);
  expect(meter.throughput(clock.monotonic()).samples).toEqual([0, 0, 1]);
});

test("a run under a second has one sample", () => {
  const clock = createManualClock();
  const meter = createRateMeter(clock, 0);
  meter.record(40, 1);
  expect(toRates(meter.throughput(clock.now()))).toEqual([40]);
});

test("the throughput goes on from what was kept of it, without the time in between", async () => {
  const clock = createManualClock();
  const before = createRateMeter(clock, 0);
  for (const answered of [4, 10]) {
    before.record(answered, 1);
    await clock.advance(1_000);
  }
  const kept = before.throughput(clock.now());
  await clock.advance(60_000);
  const after = createRateMeter(clock, 10, kept);
  expect(toRates(after.throughput(clock.now()))).toEqual([4, 6]);
  after.record(11, 1);
  await clock.advance(1_000);
  expect(toRates(after.throughput(clock.now()))).toEqual([4, 6, 1]);
  expect(after.rate()).toBeNull();
  after.record(12, 1);
  expect(after.rate()).toBe(2);
});

test("a long run has at most 120 samples, and they still are lines a second", async () => {
  const clock = createManualClock();
  const meter = createRateMeter(clock, 0);
  for (let second = 1; second <= 1_000; second++) {
    await clock.advance(1_000);
    meter.record(second * 4, 1);
  }
  const samples = toRates(meter.throughput(clock.now()));
  expect(samples.length).toBeLessThanOrEqual(120);
  expect(samples.length).toBeGreaterThan(55);
  for (const sample of samples.slice(1)) expect(sample).toBeCloseTo(4, 5);
});

test("a batch that waits has no rate, and reused answers make none", async () => {
  const clock = createManualClock();
  const logger = createSilentLogger();
  const store = await openStore({ ephemeral: true }, { logger, machine: createSystemMachine() });
  onTestFinished(() => store.close());
  const tracker = createThroughputTracker({ store, clock, logger });
  const times = { ...makeBatchRecord().times, inProgress: clock.now() };
  const follow = (about: Partial<BatchRecord>) => {
    const next = makeBatchRecord({ status: "in_progress", times, ...about });
    tracker.follow(next, 10);
    return tracker.progress(next);
  };
  follow({ counts: { total: 1_000, completed: 0, failed: 0 } });
  await clock.advance(1_000);
  expect(follow({ counts: { total: 1_000, completed: 500, failed: 0, reused: 500 } })).toMatchObject({
    rate: null,
    timeLeft: null,
  });
  await clock.advance(1_000);
  const counts = { total: 1_000, completed: 520, failed: 0, reused: 500 };
  expect(follow({ counts })).toMatchObject({ rate: 10, timeLeft: 48_000 });
  expect(follow({ counts, waiting: "The key was refused." })).toMatchObject({ rate: null, timeLeft: null });
  expect(follow({ counts, times: { ...times, finalizing: clock.now() } }).rate).toBe(10);
});
