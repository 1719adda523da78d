import { expect, test } from "vitest";
import { makeBatch } from "../../../queries/make-batch.ts";
import { shareEnded } from "../describe-batch.ts";
import { describeLines } from "../lines-bar.tsx";
import { describeCancel } from "../use-cancel-batch.tsx";
import { formatDeadline, suggestDeadline, toLocalInput } from "./batch-deadline.tsx";
import { describeRemote } from "./connection-notice.tsx";
import { announceProgress, describeCounts, describeMerged, describePace, describeSteps } from "./describe-progress.ts";

const created = new Date(2026, 4, 12, 12, 4, 1).getTime();
const none = {
  created,
  inProgress: null,
  finalizing: null,
  completed: null,
  failed: null,
  expires: created + 86_400_000,
  expired: null,
  cancelling: null,
  cancelled: null,
};

function read(batch: Parameters<typeof makeBatch>[0]): string[] {
  return describeSteps(makeBatch(batch)).map(({ word, state, detail }) => [word, state, detail].join(" | "));
}

test("a batch that runs shows what is behind it and what is ahead", () => {
  expect(read({ status: "in_progress", times: { ...none, inProgress: created + 200 } })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | now | since 12:04:01",
    "Wrapping up | ahead | ",
    "Done | ahead | ",
  ]);
});

test("a batch that is done shows how long each step took", () => {
  const times = { ...none, inProgress: created + 200, finalizing: created + 14_200, completed: created + 14_300 };
  expect(read({ status: "completed", times })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | past | 12:04:01, 14 s",
    "Wrapping up | past | 12:04:15, 0.1 s",
    "Done | past | 12:04:15",
  ]);
});

test("a batch whose file did not validate never ran", () => {
  expect(read({ status: "failed", times: { ...none, failed: created + 340 } })).toEqual([
    "Checking | ended | 12:04:01, 0.34 s",
    "Failed | failed | 12:04:01",
  ]);
});

test("a batch that is cancelled ran until the cancel", () => {
  const times = { ...none, inProgress: created + 200, cancelling: created + 9_200 };
  expect(read({ status: "cancelling", times })).toEqual([
    "Checking | past | 12:04:01, 0.2 s",
    "Running | ended | 12:04:01, 9 s",
    "Cancelling | now | since 12:04:10",
    "Cancelled | ahead | ",
  ]);
  expect(read({ status: "cancelled", times: { ...times, cancelled: created + 10_200 } }).slice(2)).toEqual([
    "Cancelling | ended | 12:04:10, 1 s",
    "Cancelled | stopped | 12:04:11",
  ]);
});

test("a batch that is cancelled while being checked never ran", () => {
  const times = { ...none, cancelling: created + 100, cancelled: created + 150 };
  expect(read({ status: "cancelled", times })).toEqual([
    "Checking | ended | 12:04:01, 0.1 s",
    "Cancelling | ended | 12:04:01, 50 ms",
    "Cancelled | stopped | 12:04:01",
  ]);
});

test("a batch that expires ran until then", () => {
  const times = { ...none, inProgress: created + 200, expired: created + 86_400_000 };
  expect(read({ status: "expired", times })[2]).toBe("Expired | stopped | 12:04:01");
});

const counts = { total: 1_319, completed: 809, failed: 3, damaged: 0, neverRan: 0, awaited: 0 };

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
  const batch = makeBatch({
    status: "validating",
    counts: { total: 0, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
    rate: null,
  });
  expect(describeCounts(batch).rest).toBe("Counting lines");
  expect(describePace(batch)).toBe("");
});

test("progress is announced by quarters", () => {
  const running = makeBatch({ status: "in_progress" });
  const said = [null, 0, 0.1, 0.25, 0.3, 0.5, 0.99, 1].map((share) => announceProgress(running, share));
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
  const counts = { total: 20, completed: 9, failed: 2, damaged: 0, neverRan: 9, awaited: 0 };
  expect(announceProgress(makeBatch({ status: "cancelled", counts }), 0.55)).toBe("Cancelled, 2 failed, 9 never ran");
});

test("says how many answers are kept and how many lines are given up", () => {
  expect(
    describeCancel({ counts: { total: 1_319, completed: 812, failed: 3, damaged: 0, neverRan: 0, awaited: 0 } }),
  ).toBe(
    "The 812 answers so far are kept and can be read and exported. The 504 lines that are left will not run, but for those being answered right now.",
  );
});

test("says so when nothing has been answered", () => {
  expect(
    describeCancel({ counts: { total: 10, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 } }),
  ).toContain("Nothing has been answered yet.");
  expect(
    describeCancel({ counts: { total: 0, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 } }),
  ).toContain("still being checked");
});

test("a deadline is suggested hours ahead, and named by its hour or its day", () => {
  const suggested = suggestDeadline(created);
  expect(new Date(suggested)).toEqual(new Date(2026, 4, 12, 17, 0));
  expect(toLocalInput(suggested)).toBe("2026-05-12T17:00");
  expect(new Date(toLocalInput(suggested)).getTime()).toBe(suggested);
  expect(formatDeadline(suggested, created)).toBe("17:00");
  expect(formatDeadline(suggested + 86_400_000, created)).toBe("13 May, 17:00");
});

test("what has arrived at a service of a file that is uploaded is said in bytes", () => {
  const remote = { parts: 3, rawStatus: null, done: null, uploaded: { bytes: 12_000_000, total: 80_000_000 } };
  expect(describeRemote(makeBatch({ status: "in_progress", remote }))).toBe(
    "at the service: in 3 parts, 12 MB of 80 MB uploaded",
  );
});

test("what is done at a service and what is here are two figures", () => {
  const remote = { parts: 1, rawStatus: "in_progress", done: 60, uploaded: null };
  const none = { total: 200, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 };
  const batch = makeBatch({ status: "in_progress", remote, counts: none, rate: null });
  expect(describeCounts(batch)).toEqual({ count: "0", rest: "of 200 lines here" });
  expect(describeRemote(batch)).toBe("at the service: 60 done, in_progress");
  expect(describeLines(batch)).toBe("0 of 200 answered, 60 done at the service");
  expect(shareEnded(batch)).toBe(0.3);
});

test("with its retries, a batch says what is left of all lines", () => {
  const read = (counts: Record<string, number>, retries = 1) =>
    describeMerged(
      { states: Object.entries(counts).map(([value, count]) => ({ value, count, firstLine: 1 })) },
      retries,
    ).outcome;
  expect(read({ answered: 20 })).toBe("all answered after 1 retry");
  expect(read({ answered: 20 }, 2)).toBe("all answered after 2 retries");
  expect(read({ answered: 18, failed: 2 })).toBe("2 still failed");
  expect(read({ answered: 15, failed: 2, skipped: 3 })).toBe("2 still failed, 3 still did not run");
  expect(read({ answered: 18, waiting: 2 })).toBeUndefined();
});
