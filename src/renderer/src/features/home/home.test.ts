import { describe, expect, test } from "vitest";
import type { BatchView, ConnectionView, Preset } from "#contract";
import { noteVisit, useHome } from "../../state/home.ts";
import { findAttention, findFailed } from "./find-attention.ts";
import { describeNews } from "./home-news.tsx";
import { findFinished, startOfMonth, sumCosts } from "./summarize.ts";

const day = 24 * 60 * 60_000;
const together = { id: "conn_1", name: "Together" };

function batch(about: Partial<BatchView> & Pick<BatchView, "id">): BatchView {
  const times = { created: 0, inProgress: 10, finalizing: 90, completed: 100, expires: day };
  return {
    name: about.id,
    status: "completed",
    models: [],
    counts: { total: 10, completed: 10, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
    ends: null,
    link: null,
    inputFileId: "file_1",
    outputFileId: null,
    errorFileId: null,
    times: { ...times, failed: null, expired: null, cancelling: null, cancelled: null },
    rate: null,
    timeLeft: null,
    problemCount: 0,
    connection: null,
    waiting: null,
    unclear: false,
    remote: null,
    inDoubt: null,
    endWaitsFor: null,
    readUntil: null,
    notice: null,
    deadline: null,
    cost: null,
    reused: 0,
    isReadOnly: false,
    isMock: true,
    ...about,
  };
}

const connection = { ...together, preset: "together", hasKey: true, keyVariable: null } as ConnectionView;
const preset = { id: "together", needsKey: true, resultsKeptDays: 30 } as Preset;

function keys(batches: BatchView[], connections: ConnectionView[] = []): string[] {
  return findAttention(batches, connections, [preset]).map(({ key }) => key);
}

describe("what needs attention", () => {
  test("is nothing where all went well", () => {
    expect(keys([batch({ id: "fine" }), batch({ id: "runs", status: "in_progress" })], [connection])).toEqual([]);
  });

  test("is what failed, what never ran and what was not understood, the newest first", () => {
    const counts = { total: 10, completed: 3, failed: 2, damaged: 0, neverRan: 5, awaited: 0 };
    expect(
      keys([
        batch({ id: "faulty", status: "failed", problemCount: 4 }),
        batch({ id: "broken", status: "failed" }),
        batch({ id: "late", status: "expired", counts }),
        batch({ id: "stopped", status: "cancelled", counts: { ...counts, failed: 0 } }),
        batch({ id: "odd", notice: "2 lines came twice." }),
      ]),
    ).toEqual([
      "faulty_file faulty",
      "failed_batch broken",
      "failed_lines late",
      "never_ran late",
      "never_ran stopped",
      "notice odd 2 lines came twice.",
    ]);
  });

  test("is not what is being asked again, or what a retry has answered, but what a retry has left", () => {
    const failed = { total: 10, completed: 8, failed: 2, damaged: 0, neverRan: 0, awaited: 0 };
    const root = batch({ id: "root", counts: failed });
    const retry = { id: "retry", link: { kind: "retry", root: "root" } } as const;
    expect(keys([batch({ ...retry, status: "in_progress" }), root])).toEqual([]);
    expect(keys([batch(retry), root])).toEqual([]);
    expect(keys([batch({ ...retry, counts: failed }), root])).toEqual(["failed_lines retry"]);
  });

  test("of failed lines are those that no retry has answered, with how many of them a retry may help", () => {
    const root = batch({
      id: "root",
      counts: { total: 10, completed: 4, failed: 6, damaged: 0, neverRan: 0, awaited: 0 },
    });
    const retry = batch({
      id: "retry",
      link: { kind: "retry", root: "root" },
      counts: { ...root.counts, completed: 10 },
    });
    const left = { failed: 4, errors: { refused: 3, limited: 1 }, damaged: 1 } as const;
    const none = { neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 };
    expect(findFailed([retry, root])).toEqual([{ key: "failed_lines retry", batch: root }]);
    const [found] = findAttention([retry, root], [], [], new Map([["root", { ...left, ...none }]]));
    expect(found).toMatchObject({ key: "failed_lines retry", isMerged: true, passing: 2, errors: left.errors });
    expect(found).toHaveProperty("batch.id", "root");
    expect(found).toHaveProperty("batch.counts", { ...root.counts, failed: 4, damaged: 1 });
    // Not looked up, as the failures of a batch that is dismissed are not.
    const part = batch({ ...retry, counts: { ...retry.counts, total: 2, completed: 2, failed: 0 } });
    expect(findAttention([part, root], [], [])).toEqual([]);
    expect(findFailed([part, root])).toMatchObject([{ key: "failed_lines retry" }]);
  });

  test("is a connection once, however many batches wait for it, with the day until which results are there", () => {
    const waits = { status: "in_progress", connection: together, waiting: "The key was refused." } as const;
    const remote = { parts: 1, rawStatus: "completed", done: null, uploaded: null };
    const found = findAttention(
      [batch({ id: "a", ...waits }), batch({ id: "b", ...waits, remote }), batch({ id: "done", connection: together })],
      [{ ...connection, hasKey: false }],
      [preset],
    );
    expect(found).toMatchObject([
      { kind: "waiting", connection: together, reason: "The key was refused.", fetchBefore: 10 + 30 * day },
    ]);
    expect(found[0]).toHaveProperty("batches.length", 2);
  });

  test("is a batch of which it is not known whether its service has it", () => {
    const inDoubt = { candidates: [] };
    const waits = {
      status: "in_progress",
      connection: together,
      waiting: "The service may have it.",
      inDoubt,
    } as const;
    expect(keys([batch({ id: "unsure", ...waits })])).toEqual(["in_doubt unsure"]);
  });

  test("is a connection that needs a key and has none", () => {
    const local = { ...connection, id: "conn_2", preset: null };
    expect(
      keys(
        [],
        [
          { ...connection, hasKey: false },
          { ...local, hasKey: false },
        ],
      ),
    ).toEqual(["no_key conn_1"]);
    expect(keys([], [{ ...local, hasKey: false, keyVariable: "KEY" }])).toEqual(["no_key conn_2"]);
  });
});

test("news are batches that have ended, and what needs attention, a sentence each; progress is none", () => {
  const stateOf = (...batches: BatchView[]) => ({ batches, attention: findAttention(batches, [connection], [preset]) });
  const runs = batch({
    id: "a",
    status: "in_progress",
    counts: { total: 10, completed: 4, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
  });
  const other = batch({ ...runs, id: "b" });
  const failed = batch({
    id: "a",
    counts: { total: 10, completed: 8, failed: 2, damaged: 0, neverRan: 0, awaited: 0 },
  });
  const waits = { ...other, connection: together, waiting: "The key was refused." };
  const started = stateOf(runs, other);
  expect(describeNews(started, stateOf({ ...runs, counts: { ...runs.counts, completed: 9 } }, other))).toBe("");
  expect(describeNews(started, stateOf(failed, other))).toBe("a: 8 of 10 answered, 2 failed.");
  expect(describeNews(started, stateOf(failed, waits))).toBe(
    "a: 8 of 10 answered, 2 failed. 1 batch waits: The key was refused.",
  );
  expect(describeNews(started, stateOf(failed, batch({ id: "b" })))).toBe("2 batches have ended.");
  expect(describeNews(stateOf(failed, other), stateOf(failed, other))).toBe("");
});

test("what has finished since is listed by its end", () => {
  const at = (completed: number | null) => ({ ...batch({ id: "" }).times, completed });
  const batches = [
    batch({ id: "long", times: at(900) }),
    batch({ id: "short", times: at(950) }),
    batch({ id: "old", times: at(100) }),
    batch({ id: "runs", status: "in_progress", times: at(null) }),
  ];
  expect(findFinished(batches, 500).map(({ batch: { id } }) => id)).toEqual(["short", "long"]);
});

test("costs of a month are summed by connection, and what is not known is left out of the sum, not of the count", () => {
  const month = startOfMonth(Date.UTC(2026, 10, 22, 23, 59));
  expect(new Date(month).toISOString()).toBe("2026-11-01T00:00:00.000Z");
  const costOf = (usd: number, lines: number, unknown = 0) => {
    return { usd, lines, unknown, reported: 0, isCeiling: false, isToday: false };
  };
  const times = (created: number) => ({ ...batch({ id: "" }).times, created });
  const groq = { id: "conn_2", name: "Groq" };
  const batches = [
    batch({ id: "a", connection: groq, times: times(month) }),
    batch({ id: "b", connection: together, cost: costOf(1.5, 10), times: times(month) }),
    batch({ id: "c", connection: together, cost: costOf(0.5, 4, 3), reused: 3, times: times(month + day) }),
    batch({ id: "d", connection: together, times: times(month + day) }),
    batch({ id: "before", connection: together, cost: costOf(9, 10), times: times(month - 1) }),
    batch({ id: "here", times: times(month) }),
  ];
  expect(sumCosts(batches, [], month)).toEqual([
    { ...together, cost: costOf(2, 14, 13), answers: 27, reused: 3 },
    { ...groq, cost: null, answers: 10, reused: 0 },
  ]);
  const judges = [{ connection: groq, answers: 4, cost: costOf(3, 4) }];
  expect(sumCosts(batches, judges, month)).toEqual([
    { ...groq, cost: costOf(3, 4, 10), answers: 14, reused: 0 },
    { ...together, cost: costOf(2, 14, 13), answers: 27, reused: 3 },
  ]);
});

test("a visit begins after half an hour away, and news is what came since the one before", () => {
  const first = noteVisit(null, 1_000);
  expect(first).toEqual({ since: 1_000 - 7 * day, lastSeen: 1_000 });
  const minute = 60_000;
  const going = noteVisit(first, 20 * minute);
  expect(going).toEqual({ since: 1_000 - 7 * day, lastSeen: 20 * minute });
  expect(noteVisit(going, 51 * minute)).toEqual({ since: 20 * minute, lastSeen: 51 * minute });
});

test("dismissals stay as long as what they are about is there, however many there are, and can be taken back", () => {
  const { dismiss, restore } = useHome.getState();
  const many = Array.from({ length: 300 }, (_, at) => `failed_lines ${at}`);
  dismiss(["notice a gone", "notice b"], new Set());
  dismiss(many, new Set(["notice b", ...many]));
  expect(useHome.getState().dismissed).toEqual(["notice b", ...many]);
  restore(many);
  expect(useHome.getState().dismissed).toEqual(["notice b"]);
});
