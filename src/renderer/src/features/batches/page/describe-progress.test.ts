import { expect, test } from "vitest";
import { makeBatch } from "../testing/make-batch.ts";
import { announceProgress, describeCounts, describePace } from "./describe-progress.ts";

const counts = { total: 1_319, completed: 809, failed: 3 };

test("a running batch says how far it is, how fast and how long still", () => {
  const batch = makeBatch({ status: "in_progress", counts, rate: 94.2, timeLeft: 5_400 });
  expect(describeCounts(batch)).toEqual({ count: "812", rest: "of 1,319 lines" });
  expect(describePace(batch)).toBe("94.2 lines/s  ·  6 s left");
});

test("a batch that is done says how many lines and how long it took", () => {
  const batch = makeBatch({});
  expect(describeCounts(batch)).toEqual({ count: "1,319", rest: "lines" });
  expect(describePace(batch)).toBe("94 lines/s  ·  ran for 14 s");
});

test("a batch that was stopped says how many lines did not run", () => {
  expect(describeCounts(makeBatch({ status: "cancelled", counts })).rest).toBe("of 1,319 lines, 507 did not run");
});

test("a batch that is being checked does not know its lines yet", () => {
  const batch = makeBatch({ status: "validating", counts: { total: 0, completed: 0, failed: 0 }, rate: null });
  expect(describeCounts(batch).rest).toBe("Counting lines");
  expect(describePace(batch)).toBe("");
});

test("progress is announced by quarters", () => {
  const said = [null, 0, 0.1, 0.25, 0.3, 0.5, 0.99, 1].map((share) =>
    announceProgress("in_progress", "Running", share),
  );
  expect(said).toEqual([
    "Running",
    "Running",
    "Running",
    "Running, 25%",
    "Running, 25%",
    "Running, 50%",
    "Running, 75%",
    "Running",
  ]);
});

test("a batch that was stopped is announced without a quarter that would be less than it came to", () => {
  expect(announceProgress("cancelled", "Cancelled", 0.55)).toBe("Cancelled");
});
