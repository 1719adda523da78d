import { describe, expect, it } from "vitest";
import { noticesFor } from "./notices.ts";
import { progressOf } from "./progress.ts";
import type { RunningBatch } from "./running-batch.ts";
import { describeTray } from "./tray.ts";

const batch = (name: string, total: number, done: number, failed = 0): RunningBatch => ({
  id: `batch_${name}`,
  name,
  total,
  done,
  failed,
  asksItself: true,
  paidAt: null,
});

describe("describeTray", () => {
  const ends = [
    { kind: "show", label: "Show Sheaf" },
    { kind: "quit", label: "Quit" },
  ];

  it("has a way back and out while nothing runs", () => {
    expect(describeTray([])).toEqual({ tooltip: "Sheaf", items: ends });
  });

  it("has each batch with its percent, rounded down, and its failures", () => {
    expect(describeTray([batch("Reviews", 1000, 999), batch("Tickets", 0, 0), batch("Math", 10, 5, 2)])).toEqual({
      tooltip: "Sheaf: 3 batches, 99 %",
      items: [
        { kind: "batch", id: "batch_Reviews", label: "Reviews: 99 %" },
        { kind: "batch", id: "batch_Tickets", label: "Tickets: 0 %" },
        { kind: "batch", id: "batch_Math", label: "Math: 50 %, 2 failed" },
        { kind: "separator" },
        ...ends,
      ],
    });
    expect(describeTray([batch("Reviews", 10, 5)]).tooltip).toBe("Sheaf: “Reviews”, 50 %");
  });

  it("stays short, however many there are and whatever they are called", () => {
    const { items, tooltip } = describeTray(
      Array.from({ length: 9 }, (_, at) => batch(`${at}${"x".repeat(200)}`, 1, 0)),
    );
    expect(items.map(({ kind }) => kind)).toEqual([...Array(5).fill("batch"), "more", "separator", "show", "quit"]);
    expect(items[5]).toEqual({ kind: "more", label: "and 4 more" });
    expect(items[0]).toMatchObject({ label: `0${"x".repeat(38)}…: 0 %` });
    expect(tooltip.length).toBeLessThan(100);
  });
});

describe("progressOf", () => {
  it.each([
    ["nothing runs", [], { value: -1, mode: "normal", badge: 0 }],
    ["a file is being checked", [batch("a", 0, 0)], { value: 2, mode: "indeterminate", badge: 1 }],
    ["lines are answered", [batch("a", 10, 5), batch("b", 30, 5)], { value: 0.25, mode: "normal", badge: 2 }],
    ["lines fail", [batch("a", 10, 5, 1)], { value: 0.5, mode: "paused", badge: 1 }],
    ["all is done but the end", [batch("a", 10, 10)], { value: 1, mode: "normal", badge: 1 }],
  ] as const)("while %s", (_what, running, progress) => {
    expect(progressOf(running)).toEqual(progress);
  });
});

describe("noticesFor", () => {
  const news = (name: string, what = "is done") => ({ batchId: name, title: `“${name}” ${what}`, body: "9 lines." });

  it("shows nothing while the window is in front, or nothing is new", () => {
    expect(noticesFor([news("A")], true)).toEqual([]);
    expect(noticesFor([], false)).toEqual([]);
  });

  it("shows one as it is, and the latest of the same batch", () => {
    expect(noticesFor([news("A")], false)).toEqual([news("A")]);
    expect(noticesFor([news("A", "waits for a key"), news("A")], false)).toEqual([news("A")]);
  });

  it("shows many as one", () => {
    expect(
      noticesFor(
        ["A", "B"].map((name) => news(name)),
        false,
      ),
    ).toEqual([{ title: "News of 2 batches", body: "“A” is done, “B” is done.", batchId: null }]);
    expect(
      noticesFor(
        ["A", "B", "C", "D", "E"].map((name) => news(name)),
        false,
      ),
    ).toMatchObject([{ title: "News of 5 batches", body: "“A” is done, “B” is done, “C” is done, and 2 more." }]);
  });
});
