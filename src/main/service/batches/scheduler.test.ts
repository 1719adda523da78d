import { expect, test } from "vitest";
import { createSilentLogger } from "../logger/index.ts";
import { createScheduler, type Lane } from "./scheduler.ts";

/** A lane of `count` tasks that end when the test says so, or at once. */
function createLane(name: string, count: number, log: string[], weight = 1, atOnce = false) {
  const open: (() => void)[] = [];
  let left = count;
  const lane: Lane = {
    weight,
    take() {
      if (left === 0) return null;
      left -= 1;
      return async () => {
        log.push(name);
        if (!atOnce) await new Promise<void>((resolve) => open.push(resolve));
      };
    },
  };
  return { lane, open, left: () => left };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Long enough for the scheduler to have rested more than once, as it does on a busy machine. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

test("no more tasks run at a time than the engine takes, over all lanes", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 3 }, createSilentLogger());
  const [a, b] = [createLane("a", 5, log), createLane("b", 5, log)];
  for (const { lane } of [a, b]) scheduler.add(lane).wake();
  await settle();
  expect(a.open.length + b.open.length).toBe(3);
  a.open.shift()?.();
  await settle();
  expect(log).toHaveLength(4);
});

test("lanes take turns", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 1 }, createSilentLogger());
  const handles = ["a", "b", "c"].map((name) => scheduler.add(createLane(name, 20, log, 1, true).lane));
  handles[0]?.wake();
  await settle();
  for (let at = 0; at < 60; at += 3) expect([...log.slice(at, at + 3)].sort()).toEqual(["a", "b", "c"]);
});

test("a lane of weight 3 has three turns for each of one of weight 1", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 1 }, createSilentLogger());
  const standard = scheduler.add(createLane("standard", 100, log, 1, true).lane);
  scheduler.add(createLane("high", 100, log, 3, true).lane);
  standard.wake();
  await settle();
  const start = log.slice(0, 80);
  expect(start.filter((name) => name === "high")).toHaveLength(60);
});

test("a lane that comes later does not make up for the time before", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 1 }, createSilentLogger());
  const first = createLane("first", 1_000, log);
  scheduler.add(first.lane).wake();
  for (let task = 0; task < 50; task++) {
    await settle();
    first.open.shift()?.();
  }
  await settle();
  log.length = 0;
  const second = createLane("second", 1_000, log);
  scheduler.add(second.lane).wake();
  for (let task = 0; task < 20; task++) {
    for (const open of [first.open.shift(), second.open.shift()]) open?.();
    await settle();
  }
  const seconds = log.filter((name) => name === "second").length;
  expect(seconds).toBeGreaterThanOrEqual(9);
  expect(seconds).toBeLessThanOrEqual(11);
});

test("tasks that end at once leave the event loop its turns", async () => {
  const scheduler = createScheduler({ concurrency: 4 }, createSilentLogger());
  const work = createLane("a", 200_000, [], 1, true);
  scheduler.add(work.lane).wake();
  const waits: number[] = [];
  while (work.left() > 0) {
    const start = performance.now();
    await turn();
    waits.push(performance.now() - start);
  }
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(25);
});

test("a lane that is taken out frees what it had in flight", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 2 }, createSilentLogger());
  const stuck = createLane("stuck", 5, log);
  const handle = scheduler.add(stuck.lane);
  handle.wake();
  const next = createLane("next", 2, log);
  scheduler.add(next.lane);
  await settle();
  expect(log).toContain("stuck");
  handle.remove();
  await settle();
  expect(log.filter((name) => name === "next")).toHaveLength(2);
  for (const open of stuck.open) open();
  await settle();
  expect(log).toHaveLength(3);
});

test("a task that fails does not stop the others", async () => {
  const log: string[] = [];
  const scheduler = createScheduler({ concurrency: 1 }, createSilentLogger());
  let failed = false;
  const failing: Lane = {
    weight: 1,
    take() {
      if (failed) return null;
      failed = true;
      return () => Promise.reject(new Error("broken"));
    },
  };
  scheduler.add(failing).wake();
  scheduler.add(createLane("next", 3, log, 1, true).lane).wake();
  await settle();
  expect(log).toHaveLength(3);
});
