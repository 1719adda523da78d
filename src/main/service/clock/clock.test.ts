import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAdjustableClock, createManualClock } from "./adjustable-clock.ts";
import { createSystemClock } from "./system-clock.ts";

test("a manual clock runs what falls due in order of time, each at its own time", async () => {
  const clock = createManualClock(1_000);
  const seen: [string, number][] = [];
  const note = (name: string) => () => void seen.push([name, clock.now()]);
  clock.after(30, note("late"));
  clock.after(10, () => {
    note("early")();
    clock.after(5, note("nested"));
  });
  const forget = clock.after(20, note("forgotten"));
  forget();
  await clock.advance(29);
  expect(seen).toEqual([
    ["early", 1_010],
    ["nested", 1_015],
  ]);
  expect(clock.now()).toBe(1_029);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect(seen.at(-1)).toEqual(["late", 1_030]);
});

test("a sleep on a manual clock ends when the clock has been turned far enough", async () => {
  const clock = createManualClock();
  let awake = false;
  const sleep = clock.sleep(100).then(() => {
    awake = true;
  });
  await clock.advance(99);
  expect(awake).toBe(false);
  await clock.advance(1);
  await sleep;
  expect(awake).toBe(true);
});

test.each([
  ["manual", createManualClock],
  ["system", createSystemClock],
])("a sleep on a %s clock rejects when it is aborted, before or on the way", async (_, createClock) => {
  const clock = createClock();
  const reason = new Error("enough");
  await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const stop = new AbortController();
  const sleep = clock.sleep(60_000, stop.signal);
  stop.abort(reason);
  await expect(sleep).rejects.toBe(reason);
});

test("the system clock waits for longer than a timer can", () => {
  vi.useFakeTimers();
  try {
    const clock = createSystemClock();
    const days = 24 * 60 * 60_000;
    const run = vi.fn();
    clock.after(60 * days, run);
    vi.advanceTimersByTime(60 * days - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();

    const forgotten = vi.fn();
    const forget = clock.after(60 * days, forgotten);
    vi.advanceTimersByTime(40 * days);
    forget();
    vi.advanceTimersByTime(40 * days);
    expect(forgotten).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

const hour = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("it shows the machine's time unless told, and goes as fast as it is told", () => {
  const usual = createAdjustableClock();
  const fast = createAdjustableClock({ speed: 60, start: 0 });
  const still = createAdjustableClock({ speed: 0, start: 5 });
  vi.advanceTimersByTime(1_000);
  expect([usual.now(), fast.now(), still.now()]).toEqual([1_001_000, 60_000, 5]);
});

test("what is to run comes at its time on a fast clock, in order, and not before", () => {
  const clock = createAdjustableClock({ speed: 10, start: 0 });
  const seen: string[] = [];
  clock.after(200, () => seen.push("late"));
  clock.after(100, () => seen.push("early"));
  clock.after(100, () => seen.push("as early, but asked for later"));
  clock.after(50, () => seen.push("taken back"))();
  vi.advanceTimersByTime(9);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(["early", "as early, but asked for later"]);
  vi.advanceTimersByTime(10);
  expect(seen).toEqual(["early", "as early, but asked for later", "late"]);
  expect(clock.pending).toBe(0);
});

test("turned forward, it runs what falls due in order, each at its own time, and goes on from there", async () => {
  const clock = createAdjustableClock({ start: 0 });
  const seen: [string, number][] = [];
  const note = (name: string) => () => void seen.push([name, clock.now()]);
  clock.after(24 * hour, note("day"));
  clock.after(hour, () => {
    note("hour")();
    clock.after(hour, note("two hours"));
  });
  await clock.advance(23 * hour);
  expect(seen).toEqual([
    ["hour", hour],
    ["two hours", 2 * hour],
  ]);
  expect(clock.now()).toBe(23 * hour);
  vi.advanceTimersByTime(hour - 1);
  expect(seen).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(seen.at(-1)).toEqual(["day", 24 * hour]);
});

test("turned forward twice at once, it goes both ways one after the other", async () => {
  const clock = createAdjustableClock({ speed: 0, start: 0 });
  const seen: number[] = [];
  clock.after(hour, () => seen.push(clock.now()));
  await Promise.all([clock.advance(hour / 2), clock.advance(hour)]);
  expect(seen).toEqual([hour]);
  expect(clock.now()).toBe(1.5 * hour);
});

test("something that fails does not keep the rest from running", async () => {
  const clock = createAdjustableClock({ speed: 0, start: 0 });
  const run = vi.fn();
  clock.after(1, () => {
    throw new Error("broken");
  });
  clock.after(2, run);
  await expect(clock.advance(1)).rejects.toThrow("broken");
  await clock.advance(1);
  expect(run).toHaveBeenCalledOnce();
});

test("it waits for longer than a timer can, and leaves no timer behind", () => {
  const clock = createAdjustableClock();
  const run = vi.fn();
  const forget = clock.after(60 * 24 * hour, run);
  vi.advanceTimersByTime(60 * 24 * hour - 1);
  expect(run).not.toHaveBeenCalled();
  forget();
  expect(vi.getTimerCount()).toBe(0);
});
