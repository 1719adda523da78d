import { describe, expect, test, vi } from "vitest";
import { createAdjustableClock, createManualClock } from "./adjustable-clock.ts";
import { createFakeMachine } from "./fake-machine.ts";
import { nextTurn } from "./machine.ts";
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

const hour = 3_600_000;

/** A clock on a fake machine, and a note of what ran when. */
function open(options: { speed?: number; start?: number } = {}) {
  const machine = createFakeMachine(1_000_000);
  const clock = createAdjustableClock({ machine, ...options });
  const seen: [string, number][] = [];
  const note = (name: string) => () => void seen.push([name, clock.now()]);
  return { machine, clock, seen, note };
}

test("it shows the machine's time by default, and goes as fast as it is asked to", async () => {
  for (const [options, shown] of [
    [{}, 1_001_000],
    [{ speed: 60, start: 0 }, 60_000],
    [{ speed: 0, start: 5 }, 5],
  ] as const) {
    const { machine, clock } = open(options);
    await machine.advance(1_000);
    expect(clock.now()).toBe(shown);
  }
});

test("on a fast clock what is due happens at its own time, in order", async () => {
  const { machine, clock, seen, note } = open({ speed: 1_000, start: 0 });
  clock.after(2_500, note("late"));
  clock.after(1_200, note("early"));
  clock.after(1_200, note("as early, but asked for later"));
  clock.after(500, note("cancelled"))();
  await machine.advance(1);
  expect(seen).toEqual([]);
  await machine.advance(1);
  await expect.poll(() => seen).toHaveLength(2);
  await machine.advance(1);
  await expect.poll(() => clock.pending).toBe(0);
  expect(seen).toEqual([
    ["early", 1_200],
    ["as early, but asked for later", 1_200],
    ["late", 2_500],
  ]);
});

test("a clock faster than the machine's stands while a batch is validated or closed, and loses that time", async () => {
  const { machine, clock, seen, note } = open({ speed: 1_000, start: 0 });
  clock.after(5_000, note("answer"));
  const closing = clock.track("closing", { stopsTime: true });
  await machine.advance(60_000);
  expect([clock.now(), seen]).toEqual([0, []]);
  closing.end();
  await nextTurn();
  await machine.advance(4);
  expect([clock.now(), seen]).toEqual([4_000, []]);
  await machine.advance(1);
  await expect.poll(() => seen).toEqual([["answer", 5_000]]);
});

test("at the machine's speed it waits for nothing", async () => {
  const { machine, clock, seen, note } = open();
  clock.track("closing", { stopsTime: true });
  clock.after(hour, note("answer"));
  await machine.advance(hour);
  expect(seen).toEqual([["answer", 1_000_000 + hour]]);
});

describe("a wall clock that is set", () => {
  test("back stops nothing: neither a delay nor the time that was left until a moment", async () => {
    const { machine, clock, seen, note } = open();
    clock.after(hour, note("delay"));
    clock.at(clock.now() + hour, note("moment"));
    machine.setWall(0);
    await machine.advance(hour);
    expect(seen).toEqual([
      ["moment", hour],
      ["delay", hour],
    ]);
  });

  test("forward reaches a moment within 30 seconds, and leaves delays as they were", async () => {
    const { machine, clock, seen, note } = open();
    clock.after(hour, note("delay"));
    clock.at(clock.now() + 24 * hour, note("moment"));
    machine.setWall(clock.now() + 25 * hour);
    await machine.advance(30_000);
    expect(seen.map(([name]) => name)).toEqual(["moment"]);
    await machine.advance(hour - 30_000);
    expect(seen.map(([name]) => name)).toEqual(["moment", "delay"]);
  });
});

describe("turned forward", () => {
  test("it runs what falls due in order, each at its own time, and continues from there", async () => {
    const { machine, clock, seen, note } = open({ start: 0 });
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
    await machine.advance(hour - 1);
    expect(seen).toHaveLength(2);
    await machine.advance(1);
    expect(seen.at(-1)).toEqual(["day", 24 * hour]);
  });

  test("at the same moment an expiry comes before an answer, whichever was asked for first", async () => {
    const clock = createManualClock(0);
    const seen: string[] = [];
    const cancelAnswer = clock.after(hour, () => seen.push("answer"));
    clock.at(hour, () => {
      seen.push("expiry");
      void Promise.resolve().then(cancelAnswer);
    });
    await clock.advance(hour);
    expect(seen).toEqual(["expiry"]);
  });

  test("twice at once, it goes both ways one after the other", async () => {
    const clock = createManualClock(0);
    const seen: number[] = [];
    clock.after(hour, () => seen.push(clock.now()));
    await Promise.all([clock.advance(hour / 2), clock.advance(hour)]);
    expect(seen).toEqual([hour]);
    expect(clock.now()).toBe(1.5 * hour);
  });

  test("something that fails does not keep the rest from running", async () => {
    const clock = createManualClock(0);
    const run = vi.fn();
    clock.after(1, () => {
      throw new Error("broken");
    });
    clock.after(2, run);
    await expect(clock.advance(1)).rejects.toThrow("broken");
    await clock.advance(1);
    expect(run).toHaveBeenCalledOnce();
  });

  test("it moves to the next event only when the registered work, and what follows from it, is done", async () => {
    const clock = createManualClock(0);
    const seen: string[] = [];
    const disk = Promise.withResolvers<void>();
    clock.after(1, async () => {
      const writing = clock.track("an answer");
      await disk.promise;
      seen.push(`written at ${clock.now()}`);
      writing.end();
      await null;
      await clock.perform("closing", async () => void seen.push(`closed at ${clock.now()}`));
    });
    clock.after(2, () => seen.push("next"));
    const turned = clock.advance(5);
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    expect(seen).toEqual([]);
    disk.resolve();
    await turned;
    expect(seen).toEqual(["written at 1", "closed at 1", "next"]);
  });

  test("it fails when the work has not moved for 30 seconds, and stays where it is", async () => {
    const machine = createFakeMachine();
    const clock = createAdjustableClock({ speed: 0, start: 0, machine });
    const run = vi.fn();
    const moving = clock.track("an answer");
    clock.after(hour, () => clock.track("validation of batch_1"));
    clock.after(2 * hour, run);
    const turned = clock.advance(3 * hour);
    const failed = expect(turned).rejects.toThrow(
      "The clock has reached 1970-01-01T01:00:00.000Z and waits for validation of batch_1, where nothing has moved for 30 seconds.",
    );
    for (let seconds = 0; seconds < 100; seconds += 20) {
      await machine.advance(20_000);
      moving.progress();
    }
    expect(clock.now()).toBe(0);
    moving.end();
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    await machine.advance(30_000);
    await failed;
    expect(clock.now()).toBe(hour);
    expect(run).not.toHaveBeenCalled();
  });

  test("tasks that stop time run one after the other while the clock stands still", async () => {
    const clock = createManualClock(0);
    const first = Promise.withResolvers<void>();
    const seen: string[] = [];
    const done = [
      clock.perform("first", async () => {
        await first.promise;
        seen.push("first");
      }),
      clock.perform("second", async () => void seen.push("second")),
    ];
    clock.whenSettled(() => seen.push("settled"));
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    first.resolve();
    await Promise.all(done);
    await clock.advance(0);
    expect(seen).toEqual(["first", "second", "settled"]);
  });
});

test("it leaves no timer behind", () => {
  const { machine, clock } = open();
  const cancel = clock.after(60 * 24 * hour, () => undefined);
  expect(machine.pending).toBe(1);
  cancel();
  expect(machine.pending).toBe(0);
});
