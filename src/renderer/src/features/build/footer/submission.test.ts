import { expect, test } from "vitest";
import type { ProblemGroup, SubmitProgress } from "#contract";
import {
  createSubmission,
  explainNotReady,
  type SubmissionProgress,
  type SubmitCall,
  type VersionState,
} from "./submission.ts";

const input = {
  sourceId: "source_1",
  template: {
    messages: [],
    connectionId: null,
    model: "m",
    temperature: null,
    maxCompletionTokens: null,
    customId: "{{ id }}",
  },
  name: "Reviews",
};

function answering(...events: SubmitProgress[]): SubmitCall {
  return async () =>
    (async function* () {
      yield* events;
    })();
}

test("reports how far it is and answers with the batch", async () => {
  const submission = createSubmission(
    answering({ phase: "rendering", done: 50, total: 200 }, { phase: "submitted", batchId: "batch_1" }),
  );
  const seen: (SubmissionProgress | null)[] = [];
  submission.progress.subscribe((progress) => seen.push(progress));
  expect(await submission.start(input, 200)).toEqual(["batch_1"]);
  expect(seen).toEqual([{ done: 0, total: 200 }, { done: 50, total: 200 }, null]);
});

test("is made once, however often it is asked for", async () => {
  const answer = Promise.withResolvers<AsyncIterable<SubmitProgress>>();
  const submission = createSubmission(() => answer.promise);
  const first = submission.start(input, 1);
  expect(await submission.start(input, 1)).toEqual([]);
  answer.resolve(await answering({ phase: "submitted", batchId: "batch_1" })(input, { signal: AbortSignal.any([]) }));
  expect(await first).toEqual(["batch_1"]);
});

test("a cancelled one ends without a batch and without a complaint", async () => {
  const submission = createSubmission(
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const started = submission.start(input, 1);
  submission.cancel();
  expect(await started).toEqual([]);
  expect(submission.progress.getState()).toBeNull();
});

test("a refused one says why, and can be started again", async () => {
  const refusals = [new Error("There are 3 errors.")];
  const submission = createSubmission(async (given, options) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    return answering({ phase: "submitted", batchId: "batch_2" })(given, options);
  });
  await expect(submission.start(input, 1)).rejects.toThrow("There are 3 errors.");
  expect(await submission.start(input, 1)).toEqual(["batch_2"]);
});

const problem = { code: "no_prompt", message: "", param: null, line: null, severity: "error" } as const;
const unwritten: ProblemGroup = { code: "no_prompt", severity: "error", count: 1, lines: 0, first: [problem] };
const short: ProblemGroup = { code: "invalid_row", severity: "error", count: 607, lines: 300, first: [] };
const version = (check: VersionState["check"]): VersionState => ({ name: "A", check, hasFailed: false, unread: null });
const sound = { blocked: false, faultyRows: 0, errorCount: 0, groups: [] };
const blocked = { ...sound, blocked: true };
const source = { rowCount: 200, holds: "rows" } as const;

test("a source without errors can be submitted, checked to the end or not", () => {
  expect(explainNotReady(true, source, [version(sound)])).toBeNull();
  expect(explainNotReady(true, source, [version(null)])).toBeNull();
  expect(
    explainNotReady(true, source, [version({ ...sound, faultyRows: 300, errorCount: 607, groups: [short] })]),
  ).toBeNull();
});

test.each([
  [null, null, "Choose a source first"],
  [{ ...source, rowCount: 0 }, null, "The source has no rows"],
  [source, { ...blocked, errorCount: 1 }, "Fix 1 error first"],
  [source, { ...blocked, errorCount: 1_204 }, "Fix 1,204 errors first"],
  [source, { ...blocked, faultyRows: 300, errorCount: 607, groups: [short] }, "Fix 300 rows first"],
  [source, { ...blocked, errorCount: 1, groups: [unwritten] }, "Write the prompt first"],
])("otherwise the reason is the next step (%#)", (given, check, reason) => {
  expect(explainNotReady(true, given, [version(check)])).toBe(reason);
});

test("nothing can be submitted without a connection", () => {
  expect(explainNotReady(false, source, [version(sound)])).toBe("Waiting for the connection");
});

test("of several versions the first that is not ready is named", () => {
  const versions = [version(sound), { ...version({ ...blocked, errorCount: 2 }), name: "Brief" }];
  expect(explainNotReady(true, source, versions)).toBe("Brief: fix 2 errors first");
  expect(explainNotReady(true, source, [{ ...version(sound), unread: "temperature" }])).toBe(
    "Correct the temperature first",
  );
  expect(explainNotReady(true, source, [{ ...version(null), hasFailed: true }])).toBe("Not checked: see Problems");
});
