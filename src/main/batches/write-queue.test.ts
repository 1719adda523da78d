import { expect, test } from "vitest";
import { createManualClock } from "#main/base";
import { createSilentLogger } from "../base/logger.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

interface Line {
  readonly bytes: Buffer;
}

function openQueue(write: () => Promise<void> = async () => {}) {
  const writes: string[][] = [];
  const queue: WriteQueue<Line> = createWriteQueue<Line>(
    { clock: createManualClock(), logger: createSilentLogger() },
    async (lines) => {
      writes.push(lines.map(({ bytes }) => bytes.toString()));
      await write();
      queue.settle(lines);
    },
  );
  const add = (text: string) => queue.add({ bytes: Buffer.from(text) });
  return { queue, writes, add };
}

test("lines that come during a write go out with the next, in their order", async () => {
  const { queue, writes, add } = openQueue();
  const lines = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(3, "0"));
  lines.forEach(add);
  expect(queue.bytes).toBe(3_000);
  await queue.drained();
  expect(writes.flat()).toEqual(lines);
  expect(writes.length).toBeLessThanOrEqual(2);
  expect(queue.bytes).toBe(0);
});

test("what is given up is not written, and whoever waits for it learns that", async () => {
  const { queue, writes, add } = openQueue();
  add("first");
  const waits = expect(queue.drained()).rejects.toThrow("abandoned");
  await queue.stop();
  await waits;
  expect(() => add("second")).toThrow("abandoned");
  expect(writes).toEqual([]);
});

test("after a fault nothing more is written", async () => {
  const { queue, writes, add } = openQueue(() => Promise.reject(new Error("That can't be counted.")));
  add("first");
  await expect(queue.drained()).rejects.toThrow("abandoned");
  expect(() => add("second")).toThrow("abandoned");
  expect(writes).toHaveLength(1);
});
