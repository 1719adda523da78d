import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFakeMachine } from "./fake-machine.ts";
import { createSystemMachine } from "./machine.ts";

const second = 1_000;
const day = 24 * 60 * 60 * second;

describe.each([
  ["the computer", openComputer],
  ["a fake", openFake],
])("the machine of %s", (_, open) => {
  test("runs a timer when its delay has passed, also one longer than Node's timers take, and never a cancelled one", async () => {
    const { machine, pass } = open();
    const run = vi.fn();
    const cancelled = vi.fn();
    machine.after(60 * day, run);
    const cancel = machine.after(60 * day, cancelled);
    await pass(40 * day);
    cancel();
    await pass(20 * day - 1);
    expect(run).not.toHaveBeenCalled();
    await pass(1);
    expect(run).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
  });

  test("reaches a moment by the wall clock or by the time that was left, whichever comes first", async () => {
    const { machine, pass, setWall } = open();
    const start = machine.wall();
    const [forward, back] = [vi.fn(), vi.fn()];
    machine.at(start + day, forward);
    setWall(start + 2 * day);
    await pass(30 * second);
    expect(forward).toHaveBeenCalledOnce();

    machine.at(machine.wall() + day, back);
    setWall(start - 1_000 * day);
    await pass(day - 1);
    expect(back).not.toHaveBeenCalled();
    await pass(1);
    expect(back).toHaveBeenCalledOnce();
    expect(forward).toHaveBeenCalledOnce();
  });

  test("a moment that can be cancelled, a sleep that is aborted and a timeout leave nothing behind", async () => {
    const { machine, pass } = open();
    const run = vi.fn();
    machine.at(machine.wall() + day, run)();
    const stopping = new AbortController();
    const sleep = machine.sleep(day, stopping.signal);
    stopping.abort(new Error("stopped"));
    await expect(sleep).rejects.toThrow("stopped");
    const timeout = machine.timeout(second);
    await pass(second - 1);
    expect(timeout.aborted).toBe(false);
    await pass(1);
    expect(timeout.reason).toMatchObject({ name: "TimeoutError" });
    await pass(day);
    expect(run).not.toHaveBeenCalled();
  });

  test("repeats a timer until it is cancelled, by itself or from outside", async () => {
    const { machine, pass } = open();
    let count = 0;
    const cancel = machine.every(10, () => {
      count += 1;
      if (count === 3) cancel();
    });
    for (let passed = 0; passed < 50; passed += 10) await pass(10);
    expect(count).toBe(3);
  });
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function openComputer() {
  return {
    machine: createSystemMachine(),
    pass: async (milliseconds: number) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    setWall: (moment: number) => void vi.setSystemTime(moment),
  };
}

function openFake() {
  const machine = createFakeMachine();
  return { machine, pass: machine.advance, setWall: machine.setWall };
}

test("a timer that Node fires early is set again for the rest", async () => {
  const machine = createSystemMachine();
  let lag = 0;
  const real = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => real() - lag);
  const run = vi.fn();
  machine.after(100, run);
  // What Node's timers show: fired by one clock while the other is a fraction behind.
  lag = 0.4;
  await vi.advanceTimersByTimeAsync(100);
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledOnce();
});
