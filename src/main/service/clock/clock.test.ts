import { expect, test, vi } from "vitest";
import { createManualClock } from "./manual-clock.ts";
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
