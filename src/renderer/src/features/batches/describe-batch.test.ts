import { describe, expect, test } from "vitest";
import type { BatchView } from "#contract";
import { makeBatch } from "../../queries/make-batch.ts";
import { describeCost, describeModels, describeStatus, lookOfBatch, shareEnded, sumRunning } from "./describe-batch.ts";

test("a batch of several models names the first", () => {
  expect(describeModels([])).toBe("");
  expect(describeModels(["deepseek-ai/DeepSeek-R1", "a", "b"])).toBe("deepseek-ai/DeepSeek-R1 and 2 more");
});

test("what ended with lines that failed, are damaged or never ran is amber, each with its word", () => {
  const look = (status: BatchView["status"], completed: number, failed: number, neverRan: number, damaged = 0) => {
    const counts = { total: completed + failed + neverRan + damaged, completed, failed, damaged, neverRan, awaited: 0 };
    const { word, tone } = lookOfBatch({ status, counts });
    return `${describeStatus(word, counts)}: ${tone}`;
  };
  expect(look("completed", 200, 0, 0)).toBe("Done: done");
  expect(look("completed", 190, 10, 0)).toBe("Done, 10 failed: warning");
  expect(look("completed", 197, 0, 0, 3)).toBe("Done, 3 damaged: warning");
  expect(look("completed", 0, 0, 0, 3)).toBe("Done, 3 damaged: warning");
  expect(look("completed", 120, 0, 80)).toBe("Done, 80 never ran: warning");
  expect(look("completed", 0, 0, 200)).toBe("Never ran: warning");
  expect(look("expired", 120, 0, 80)).toBe("Expired, 80 never ran: warning");
  expect(look("cancelled", 120, 0, 80)).toBe("Cancelled, 80 never ran: warning");
  expect(look("cancelled", 200, 0, 0)).toBe("Cancelled: quiet");
  expect(look("failed", 0, 0, 0)).toBe("Failed: failed");
});

test("the lines of all running batches are counted together, without those that wait", () => {
  const counts = { total: 100, completed: 40, failed: 2, damaged: 0, neverRan: 0, awaited: 0 };
  const batches = [
    makeBatch({}),
    makeBatch({ status: "in_progress", counts }),
    makeBatch({ status: "validating", counts }),
    makeBatch({ status: "in_progress", counts, waiting: "The service can’t be reached." }),
  ];
  expect(sumRunning(batches)).toEqual({ batches: 2, ended: 84, total: 200 });
});

describe("a batch on a connection", () => {
  const elsewhere = { connection: { id: "conn_1", name: "Lab" }, isMock: false };

  test("says what it cost, and what keeps that from being exact", () => {
    const cost = { usd: 0.27, lines: 500, unknown: 0, reported: 0, isCeiling: false, isToday: false };
    const costText = (about: Partial<typeof cost>) => describeCost(makeBatch({ cost: { ...cost, ...about } }));
    expect(costText({})).toBe("$0.27");
    expect(costText({ lines: 10, unknown: 60 })).toBe("at least $0.27; no price for 60 of 70 answers");
    expect(costText({ isCeiling: true })).toBe("at most $0.27; the service’s discount is uncertain");
    expect(costText({ reported: 500 })).toBe("$0.27; 500 as the service reports");
    expect(costText({ isToday: true })).toContain("$0.27; at today’s prices");
    expect(describeCost(makeBatch({}))).toBeNull();
  });

  test("has a bar without an end until its service has counted something", () => {
    const remote = { parts: 1, rawStatus: "in_progress", done: null, uploaded: null };
    const counts = { total: 500, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 };
    expect(shareEnded(makeBatch({ ...elsewhere, status: "in_progress", remote, counts }))).toBeNull();
    expect(shareEnded(makeBatch({ ...elsewhere, status: "in_progress", counts }))).toBe(0);
    const some = { ...counts, completed: 250 };
    expect(shareEnded(makeBatch({ ...elsewhere, status: "in_progress", remote, counts: some }))).toBe(0.5);
  });
});
