import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BatchStatus, batchStatuses, finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import { makeBatchRecord } from "../service/testing/index.ts";
import { applyEvent, nextStatus, type Transition, withAnswers } from "./state.ts";

const created = makeBatchRecord();

const events: Transition[] = [
  { type: "checked", total: 10, models: ["a"] },
  { type: "rejected", problems: [] },
  { type: "all_answered" },
  { type: "finalized" },
  { type: "cancel_requested", by: "user" },
  { type: "stopped" },
  { type: "window_closed" },
];

/** decisions.md, Batch states, as pairs. */
const allowed = [
  "validating in_progress",
  "in_progress finalizing",
  "finalizing completed",
  "validating failed",
  "validating cancelling",
  "in_progress cancelling",
  "cancelling cancelled",
  "validating expired",
  "in_progress expired",
];

test("exactly the transitions that were decided are possible", () => {
  const possible = batchStatuses.flatMap((status) =>
    events.map(({ type }) => nextStatus(status, type)).flatMap((next) => (next === null ? [] : [`${status} ${next}`])),
  );
  expect([...new Set(possible)].sort()).toEqual([...allowed].sort());
});

test("an event that can't happen throws", () => {
  expect(() => applyEvent(created, { type: "finalized" }, 2)).toThrow("validating");
});

test("more answers than lines throw", () => {
  const running = applyEvent(created, { type: "checked", total: 2, models: [] }, 2);
  expect(() => withAnswers(running, { completed: 2, failed: 1, reused: 0, ends: {} })).toThrow("3 answers");
});

const timesOf: Record<BatchStatus, (batch: BatchRecord) => number | null> = {
  validating: (batch) => batch.times.created,
  in_progress: (batch) => batch.times.inProgress,
  finalizing: (batch) => batch.times.finalizing,
  completed: (batch) => batch.times.completed,
  failed: (batch) => batch.times.failed,
  expired: (batch) => batch.times.expired,
  cancelling: (batch) => batch.times.cancelling,
  cancelled: (batch) => batch.times.cancelled,
};

describe("whatever happens in whatever order", () => {
  test("each status sets its time once, none before the one before or its window's end, and final ones are never left", () => {
    const moments = fc.tuple(fc.constantFrom(...events), fc.integer({ min: -100, max: 100 }));
    fc.assert(
      fc.property(fc.array(moments, { maxLength: 30 }), (sequence) => {
        let batch = created;
        let last = 1;
        const entered = new Map<BatchStatus, number>([["validating", 1]]);
        for (const [event, at] of sequence) {
          const next = nextStatus(batch.status, event.type);
          if (next === null) continue;
          expect(finalStatuses.has(batch.status)).toBe(false);
          expect(entered.has(next)).toBe(false);
          batch = applyEvent(batch, event, at);
          last = Math.max(last, at, next === "expired" ? created.times.expires : last);
          entered.set(next, last);
        }
        for (const status of batchStatuses) expect(timesOf[status](batch)).toBe(entered.get(status) ?? null);
      }),
    );
  });
});
