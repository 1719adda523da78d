import { expect, test } from "vitest";
import { type BatchStatus, finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import { createFakeMachine } from "../service/testing/index.ts";
import { createSilentLogger } from "./logger.ts";
import { createThrottledEmitter } from "./throttled-emitter.ts";

function batch(id: string, status: BatchStatus, completed = 0): BatchRecord {
  return { id, status, counts: { total: 100, completed, failed: 0 } } as BatchRecord;
}

function open() {
  const machine = createFakeMachine();
  const emitter = createThrottledEmitter(machine, createSilentLogger(), ({ id, status }: BatchRecord) => ({
    id,
    status,
    isOver: finalStatuses.has(status),
  }));
  const seen: string[] = [];
  const stop = emitter.subscribe(({ id, status, counts }) => seen.push(`${id} ${status} ${counts.completed}`));
  return { machine, emitter, seen, stop };
}

test("counts are told at most four times a second for each batch, the last of them always", async () => {
  const { machine, emitter, seen } = open();
  for (let completed = 0; completed <= 100; completed++) {
    emitter.emit(batch("a", "in_progress", completed));
    emitter.emit(batch("b", "in_progress", completed));
    await machine.advance(10);
  }
  await machine.advance(1_000);
  const ofA = seen.filter((line) => line.startsWith("a"));
  expect(ofA.length).toBeLessThanOrEqual(6);
  expect(ofA.length).toBeGreaterThanOrEqual(4);
  expect(ofA.at(-1)).toBe("a in_progress 100");
  expect(machine.pending).toBe(0);
});

test("a new status is told at once, and older counts never after it", async () => {
  const { machine, emitter, seen } = open();
  emitter.emit(batch("a", "validating"));
  emitter.emit(batch("a", "in_progress"));
  emitter.emit(batch("a", "in_progress", 5));
  emitter.emit(batch("a", "completed", 9));
  expect(seen).toEqual(["a validating 0", "a in_progress 0", "a completed 9"]);
  await machine.advance(1_000);
  expect(seen).toHaveLength(3);
});

test("a listener that fails does not keep others from hearing, and one that left hears no more", () => {
  const { emitter, seen, stop } = open();
  emitter.subscribe(() => {
    throw new Error("broken");
  });
  const late: string[] = [];
  emitter.subscribe(({ id }) => late.push(id));
  emitter.emit(batch("a", "validating"));
  stop();
  emitter.emit(batch("a", "in_progress"));
  expect(seen).toHaveLength(1);
  expect(late).toEqual(["a", "a"]);
});
