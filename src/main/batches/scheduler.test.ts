import fc from "fast-check";
import { expect, test } from "vitest";
import { createSystemClock, createSystemMachine } from "#main/base";
import { createSilentLogger } from "../base/logger.ts";
import { noDisk } from "../storage/io/disk.ts";
import { createScheduler, type WorkQueue } from "./scheduler.ts";

const machine = createSystemMachine();
const parts = { clock: createSystemClock(machine), machine, logger: createSilentLogger(), store: { disk: noDisk } };

/** An engine whose calls end when the test ends them, and counts of what each queue has started. */
function setUp(concurrency: number) {
  const scheduler = createScheduler({ concurrency }, parts);
  const order: string[] = [];
  const running: (() => void)[] = [];

  const failed: unknown[] = [];
  const fail = (error: unknown) => void failed.push(error);

  function addQueue(name: string, weight: number, lines: number) {
    let left = lines;
    let open = true;
    const handle = scheduler.add({
      weight,
      fail,
      take() {
        if (!open || left === 0) return null;
        left -= 1;
        return () => {
          order.push(name);
          const { promise, resolve } = Promise.withResolvers<void>();
          running.push(resolve);
          return promise;
        };
      },
    });
    return {
      handle,
      setOpen(value: boolean) {
        open = value;
        handle.wake();
      },
    };
  }

  return {
    addQueue,
    /** Adds a queue whose take, or whose work, throws or rejects. */
    addFaulty(take: WorkQueue["take"]) {
      scheduler.add({ weight: 1, take, fail }).wake();
    },
    failed,
    order,
    /** How many of the last `last` starts were the queue's. */
    share: (name: string, last: number) => order.slice(-last).filter((other) => other === name).length,
    /** Lets what runs end, and the scheduler start more, until `count` have been started or nothing is left. */
    async turn(count: number) {
      const goal = order.length + count;
      for (let quiet = 0; order.length < goal && quiet < 3; ) {
        const before = order.length;
        for (const end of running.splice(0)) end();
        await new Promise((resolve) => setImmediate(resolve));
        quiet = order.length === before ? quiet + 1 : 0;
      }
    },
  };
}

const broken = new Error("It is broken.");

test.each<[string, WorkQueue["take"]]>([
  [
    "has nothing to take",
    () => {
      throw broken;
    },
  ],
  [
    "can't start its work",
    () => () => {
      throw broken;
    },
  ],
  ["can't do its work", () => () => Promise.reject(broken)],
])("a queue that %s is told so once, and keeps nothing from the others", async (_, take) => {
  const { addQueue, addFaulty, turn, failed, order } = setUp(2);
  addFaulty(take);
  addQueue("other", 1, 10).handle.wake();
  await turn(10);
  expect(order).toHaveLength(10);
  expect(failed).toEqual([broken]);
});

test("two queues share the engine by their weights, 1 : 3", async () => {
  const { addQueue, turn, share } = setUp(8);
  addQueue("standard", 1, 10_000).handle.wake();
  addQueue("high", 3, 10_000).handle.wake();
  await turn(4_000);
  expect(share("high", 4_000)).toBeGreaterThanOrEqual(2_995);
  expect(share("high", 4_000)).toBeLessThanOrEqual(3_005);
});

test("queues of equal weight take turns", async () => {
  const { addQueue, order, turn } = setUp(1);
  addQueue("a", 3, 100).handle.wake();
  addQueue("b", 3, 100).handle.wake();
  await turn(20);
  expect(order.slice(-10)).toEqual(Array.from({ length: 5 }, () => ["a", "b"]).flat());
});

test("whatever the queues and their weights, each gets its share to within two lines", async () => {
  const weights = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(weights, fc.integer({ min: 1, max: 16 }), async (queues, concurrency) => {
      const { addQueue, turn, share } = setUp(concurrency);
      const handles = queues.map((weight, index) => addQueue(String(index), weight, 5_000));
      for (const { handle } of handles) handle.wake();
      await turn(concurrency);
      const rounds = 20 * queues.reduce((sum, weight) => sum + weight, 0);
      await turn(rounds);
      queues.forEach((weight, index) => {
        expect(Math.abs(share(String(index), rounds) - 20 * weight)).toBeLessThanOrEqual(2 + concurrency);
      });
    }),
    { numRuns: 50 },
  );
});

test("ten lines that come late are done after about twenty, however many are ahead of them", async () => {
  const { addQueue, order, turn } = setUp(4);
  addQueue("large", 3, 50_000).handle.wake();
  await turn(1_000);
  const joined = order.length;
  addQueue("small", 3, 10).handle.wake();
  await turn(60);
  expect(order.lastIndexOf("small") - joined).toBeLessThanOrEqual(24);
});

test("a queue that had no work for a while gets its share from then on, and catches up only a little", async () => {
  const { addQueue, order, share, turn } = setUp(4);
  const idle = addQueue("idle", 1, 10_000);
  idle.setOpen(false);
  addQueue("busy", 1, 10_000).handle.wake();
  await turn(3_000);
  const before = order.length;
  idle.setOpen(true);
  await turn(2_000);
  const caughtUp = order.indexOf("busy", order.indexOf("idle")) - before;
  expect(caughtUp).toBeLessThanOrEqual(210);
  await turn(1_000);
  expect(Math.abs(share("idle", 1_000) - 500)).toBeLessThanOrEqual(5);
});

test("a queue that came while another caught up does not wait for that", async () => {
  const { addQueue, order, turn } = setUp(4);
  const idle = addQueue("idle", 1, 10_000);
  idle.setOpen(false);
  addQueue("busy", 1, 10_000).handle.wake();
  await turn(3_000);
  idle.setOpen(true);
  const joined = order.length;
  addQueue("small", 1, 10).handle.wake();
  await turn(100);
  expect(order.lastIndexOf("small") - joined).toBeLessThanOrEqual(35);
});

test("what was in flight of a queue that was removed frees the engine at once", async () => {
  const { addQueue, order } = setUp(2);
  const first = addQueue("first", 1, 10);
  first.handle.wake();
  await expect.poll(() => order).toEqual(["first", "first"]);
  const second = addQueue("second", 1, 10);
  first.handle.remove();
  second.handle.wake();
  await expect.poll(() => order).toHaveLength(4);
  expect(order.slice(-2)).toEqual(["second", "second"]);
});

test("work that is done at once takes no place, is shared out by weight, and leaves the event loop its turns", async () => {
  const scheduler = createScheduler({ concurrency: 1 }, parts);
  const order: string[] = [];
  const addQueue = (name: string, weight: number, lines: number) =>
    scheduler.add({
      weight,
      fail: expect.unreachable,
      take() {
        if (order.filter((other) => other === name).length === lines) return null;
        return () => {
          order.push(name);
          const end = performance.now() + 1;
          while (performance.now() < end);
          return null;
        };
      },
    });
  addQueue("high", 3, 60);
  addQueue("low", 1, 60).wake();
  expect(order.length).toBeLessThan(60);
  await expect.poll(() => order).toHaveLength(120);
  expect(order.slice(0, 40).filter((name) => name === "high")).toHaveLength(30);
});
