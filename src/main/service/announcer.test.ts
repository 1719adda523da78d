import { expect, test } from "vitest";
import { type BatchStatus, finalStatuses } from "#contract";
import { createAnnouncer } from "./announcer.ts";
import { createSilentLogger } from "./logger.ts";
import type { BatchRecord } from "./store/index.ts";
import { createFakeMachine } from "./testing/index.ts";

function batch(id: string, status: BatchStatus, completed = 0): BatchRecord {
  return { id, status, counts: { total: 100, completed, failed: 0 } } as BatchRecord;
}

function open() {
  const machine = createFakeMachine();
  const announcer = createAnnouncer(machine, createSilentLogger(), ({ id, status }: BatchRecord) => ({
    id,
    status,
    isOver: finalStatuses.has(status),
  }));
  const seen: string[] = [];
  const stop = announcer.subscribe(({ id, status, counts }) => seen.push(`${id} ${status} ${counts.completed}`));
  return { machine, announcer, seen, stop };
}

test("counts are told at most ten times a second for each batch, the last of them always", async () => {
  const { machine, announcer, seen } = open();
  for (let completed = 0; completed <= 100; completed++) {
    announcer.announce(batch("a", "in_progress", completed));
    announcer.announce(batch("b", "in_progress", completed));
    await machine.advance(10);
  }
  await machine.advance(1_000);
  const ofA = seen.filter((line) => line.startsWith("a"));
  expect(ofA.length).toBeLessThanOrEqual(12);
  expect(ofA.length).toBeGreaterThanOrEqual(10);
  expect(ofA.at(-1)).toBe("a in_progress 100");
  expect(machine.pending).toBe(0);
});

test("a new status is told at once, and older counts never after it", async () => {
  const { machine, announcer, seen } = open();
  announcer.announce(batch("a", "validating"));
  announcer.announce(batch("a", "in_progress"));
  announcer.announce(batch("a", "in_progress", 5));
  announcer.announce(batch("a", "completed", 9));
  expect(seen).toEqual(["a validating 0", "a in_progress 0", "a completed 9"]);
  await machine.advance(1_000);
  expect(seen).toHaveLength(3);
});

test("a listener that fails does not keep others from hearing, and one that left hears no more", () => {
  const { announcer, seen, stop } = open();
  announcer.subscribe(() => {
    throw new Error("broken");
  });
  const late: string[] = [];
  announcer.subscribe(({ id }) => late.push(id));
  announcer.announce(batch("a", "validating"));
  stop();
  announcer.announce(batch("a", "in_progress"));
  expect(seen).toHaveLength(1);
  expect(late).toEqual(["a", "a"]);
});
