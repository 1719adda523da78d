import fc from "fast-check";
import { expect, test } from "vitest";
import { finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import { makeBatchRecord } from "../service/testing/index.ts";
import { type BatchEvent, type BatchState, findEnd, type Reduced, reduce, startState, type Work } from "./reducer.ts";

const total = 5;
const noEnds = { completed: 0, failed: 0, reused: 0, ends: {} };
const open = { ...makeBatchRecord().times, inProgress: 2 };
const sentPart = { isFetched: false, sentAt: 1 } as NonNullable<BatchRecord["remote"]>[number];

/** Batches as a start may find them. */
const records: readonly BatchRecord[] = [
  makeBatchRecord(),
  makeBatchRecord({ unclear: true, deadline: 50 }),
  makeBatchRecord({ times: { ...open, created: 500, inProgress: null } }),
  makeBatchRecord({ status: "in_progress", times: open, counts: { total, completed: 1, failed: 1 } }),
  makeBatchRecord({ status: "in_progress", times: open, counts: { total, ...noEnds }, unclear: true, connection: "c" }),
  makeBatchRecord({
    status: "in_progress",
    times: open,
    counts: { total, ...noEnds },
    remote: [sentPart],
    connection: "c",
  }),
  makeBatchRecord({ status: "in_progress", times: { ...open, expires: 3 }, counts: { total, ...noEnds } }),
  makeBatchRecord({
    status: "finalizing",
    times: { ...open, finalizing: 3 },
    counts: { total, ...noEnds, completed: total },
  }),
  makeBatchRecord({
    status: "cancelling",
    times: { ...open, cancelling: 3 },
    counts: { total, ...noEnds },
    endedBy: "user",
  }),
  makeBatchRecord({ status: "cancelling", times: { ...open, inProgress: null, cancelling: 3 }, remote: [sentPart] }),
];

/** Answers come one by one: the counts are given when the event is sent. */
type Sent = BatchEvent | { readonly type: "answer"; readonly isFailed: boolean };
const happening = fc.constantFrom<Sent>(
  { type: "checked", total, models: ["a"] },
  { type: "rejected", problems: [] },
  { type: "check_stopped" },
  { type: "counted", total },
  { type: "opened", isWhole: false },
  { type: "asked", isWhole: false },
  { type: "asked", isWhole: true },
  { type: "all_answered" },
  { type: "written", usage: null },
  { type: "released" },
  { type: "paused" },
  { type: "left" },
  { type: "attempt_failed", message: "The disk is full.", isOfDisk: true },
  { type: "run_planned" },
  { type: "run_begun" },
  { type: "connection_changed" },
  { type: "waits", reason: "The service is busy." },
  { type: "waits", reason: null },
  { type: "cancel_asked" },
  { type: "cancel_requested", by: "user" },
  { type: "cancel_dropped" },
  { type: "cancel_overdue" },
  { type: "deadline_met" },
  { type: "deadline_set", deadline: 70 },
  { type: "window_ended" },
  { type: "window_cut" },
  { type: "decided" },
  { type: "closing" },
  { type: "grace_over" },
  { type: "disk_changed" },
  { type: "noted", change: { remote: [{ ...sentPart, isFetched: true }] }, isLasting: true },
  { type: "answer", isFailed: false },
  { type: "answer", isFailed: true },
);

const answeredOf = ({ counts }: BatchRecord) => counts.completed + counts.failed;

function toEvent(sent: Sent, { record }: BatchState): BatchEvent | null {
  if (sent.type !== "answer") return sent;
  const { completed, failed } = record.counts;
  if (completed + failed >= record.counts.total || finalStatuses.has(record.status)) return null;
  const counts = {
    ...noEnds,
    completed: completed + (sent.isFailed ? 0 : 1),
    failed: failed + (sent.isFailed ? 1 : 0),
  };
  return { type: "answered", counts };
}

/** Each kind of work that goes well. */
const goesWell: Readonly<Record<Work, (state: BatchState) => readonly BatchEvent[]>> = {
  checking: ({ isCancelAsked }) => [isCancelAsked ? { type: "check_stopped" } : { type: "checked", total, models: [] }],
  counting: () => [{ type: "counted", total }],
  opening: ({ record }) => [{ type: "opened", isWhole: answeredOf(record) === record.counts.total }],
  asking: ({ record: { counts } }) => [
    { type: "answered", counts: { ...noEnds, completed: counts.total - counts.failed, failed: counts.failed } },
    { type: "noted", change: { remote: [] }, isLasting: true },
    { type: "asked", isWhole: true },
  ],
  ending: (state) => [
    ...(findEnd(state) === "completed" ? [{ type: "all_answered" } as const] : []),
    findEnd(state) === null
      ? { type: "attempt_failed", message: "Some lines have no answer.", isOfDisk: false }
      : { type: "written", usage: null },
  ],
  held: () => [{ type: "released" }],
  pausing: () => [{ type: "paused" }],
  leaving: () => [{ type: "left" }],
};

function nextEvents(state: BatchState): readonly BatchEvent[] {
  if (state.step === "deciding") return [{ type: "decided" }];
  if (state.step === "recording") return [{ type: "cancel_requested", by: "user" }];
  return state.step === "over" ? [] : goesWell[state.step](state);
}

/** What is wrong about a step; empty for one as it has to be. Without `expect`, which takes most of the time here. */
function findFaults(before: BatchState, { state, effects }: Reduced): string[] {
  const begun = effects.flatMap((effect) => (effect.type === "begin" ? [effect.work] : []));
  const waits = state.step === "deciding" || state.step === "recording" || state.step === "over";
  const isStored = effects.some(({ type }) => type === "store");
  const isMoved = before.record.status !== state.record.status;
  const changed = Object.entries(before.record.times).filter(
    ([name, time]) => name !== "expires" && time !== null && Reflect.get(state.record.times, name) !== time,
  );
  const faults: Readonly<Record<string, boolean>> = {
    "works at two things": begun.length > 1,
    "has other work than it began": begun.length === 1 && state.step !== begun[0],
    "works at what nobody began": begun.length === 0 && state.step !== before.step && !waits,
    "goes on after its end": before.step === "over" && state.step !== "over",
    "left a final status": isMoved && finalStatuses.has(before.record.status),
    "has a status that is not stored": isMoved && !isStored,
    "lost answers": answeredOf(state.record) < answeredOf(before.record),
    "has another time than it had": changed.length > 0,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

test("whatever happens in whatever order, no state is without a way out, no count falls, and no end is left", () => {
  const moments = fc.array(fc.tuple(happening, fc.nat({ max: 100 })), { maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...records), moments, (record, sequence) => {
      let state = startState(record);
      const send = (event: BatchEvent, at: number) => {
        const next = reduce(state, event, at);
        const faults = findFaults(state, next);
        if (faults.length > 0) throw new Error(`After ${event.type} it ${faults.join(", ")}.`);
        state = next.state;
      };
      send({ type: "begun" }, 3);
      for (const [sent, at] of sequence) {
        const event = toEvent(sent, state);
        if (event !== null) send(event, at);
      }
      for (let left = 30; left > 0 && state.step !== "over"; left--) {
        for (const event of nextEvents(state)) send(event, 200);
      }
      expect(state.step).toBe("over");
      if (!state.isClosing) expect(finalStatuses.has(state.record.status)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

/** The steps of a batch that goes well but for these events, each sent when that step has begun. */
function walk(record: BatchRecord, meets: Partial<Record<BatchState["step"], BatchEvent>> = {}) {
  let { state, effects } = reduce(startState(record), { type: "begun" }, 3);
  const steps: string[] = [state.step];
  const all = [...effects];
  const left = new Map(Object.entries(meets));
  for (let most = 30; most > 0 && state.step !== "over"; most--) {
    const met = left.get(state.step);
    left.delete(state.step);
    for (const event of met === undefined ? nextEvents(state) : [met]) {
      ({ state, effects } = reduce(state, event, 4));
      all.push(...effects);
    }
    if (state.step !== steps.at(-1)) steps.push(state.step);
  }
  return { steps, state, effects: all };
}

test("a batch goes from its check to its end", () => {
  const { steps, state } = walk(makeBatchRecord());
  expect(steps).toEqual(["checking", "opening", "asking", "ending", "leaving", "over"]);
  expect(state.record.status).toBe("completed");
});

test("a cancel is recorded before the batch goes on, in whatever step it comes", () => {
  const cancel: BatchEvent = { type: "cancel_asked" };
  const early = walk(makeBatchRecord(), { checking: cancel });
  expect(early.steps).toEqual(["checking", "recording", "counting", "opening", "ending", "held", "leaving", "over"]);
  const running = walk(makeBatchRecord(), { asking: cancel });
  expect(running.steps).toEqual(["checking", "opening", "asking", "recording", "ending", "held", "leaving", "over"]);
  expect(running.effects).toContainEqual({ type: "write_cancel", by: "user" });
  for (const { state } of [early, running]) expect(state.record.status).toBe("cancelled");
});

test("a batch whose window ended meanwhile is not checked, and asks nothing: neither a service nor its user", () => {
  const toEnd = ["counting", "opening", "ending", "leaving", "over"];
  const late = { ...makeBatchRecord().times, expires: 2 };
  for (const unclear of [false, true]) {
    const { steps, state } = walk(makeBatchRecord({ times: late, unclear }));
    expect(steps).toEqual(toEnd);
    expect(state.record).toMatchObject({ status: "expired", endedBy: "expiry" });
  }
  const { steps, state } = walk(makeBatchRecord({ unclear: true }), { deciding: { type: "window_ended" } });
  expect(steps).toEqual(["deciding", ...toEnd]);
  expect(state.record).toMatchObject({ status: "expired", waiting: null });
});

test("a reason to wait is shown until the batch has got further, the disk's before all", () => {
  const begun = reduce(startState(makeBatchRecord()), { type: "begun" }, 3).state;
  const failed = reduce(begun, { type: "attempt_failed", message: "No.", isOfDisk: false }, 4).state;
  const waiting = (state: BatchState) => reduce(state, { type: "disk_changed" }, 5).state.record.waiting;
  expect(failed.step).toBe("pausing");
  expect([waiting(failed), waiting({ ...failed, diskFailure: "The disk is full." })]).toEqual([
    "No.",
    "The disk is full.",
  ]);
  const checked = reduce(reduce(failed, { type: "paused" }, 6).state, { type: "checked", total, models: [] }, 7).state;
  expect(waiting(checked)).toBeNull();
});
