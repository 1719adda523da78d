import { expect, test } from "vitest";
import type { TrialProgress, TrialRow } from "#contract";
import { createTrial, usualAnswer } from "./trial-store.ts";

const template = {
  messages: [],
  connectionId: null,
  model: "m",
  temperature: null,
  maxCompletionTokens: null,
  customId: "",
};
const input = { sourceId: "s", draftId: "d", template, rows: { take: "first", count: 2 } } as const;

function answered(row: number, answer: string, completionTokens: number): TrialRow {
  const measured = { milliseconds: 5, promptTokens: 9, completionTokens, cost: null };
  return { row, state: "answered", question: "Why?", answer, ...measured };
}

function progress(...rows: TrialRow[]): TrialProgress {
  return { batchId: "batch_1", finished: true, waiting: null, rows };
}

test("a further trial shows its answers beside those of the one before", async () => {
  const events = [progress(answered(1, "old", 10), answered(2, "same", 20)), progress(answered(1, "new", 40))];
  const trial = createTrial(async () =>
    (async function* () {
      const event = events.shift();
      if (event !== undefined) yield event;
    })(),
  );
  await trial.start(input, "A");
  expect(usualAnswer(trial.state.getState().rows)).toBe(15);
  await trial.start(input, "A");
  const { rows, before, isRunning } = trial.state.getState();
  expect(rows.map(({ answer }) => answer)).toEqual(["new"]);
  expect(before.get(1)).toEqual({ answer: "old", version: "A" });
  expect(isRunning).toBe(false);
});

test("a stopped one ends without a complaint, a failed one keeps its reason", async () => {
  const trial = createTrial(
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const started = trial.start(input, "A");
  trial.stop();
  await started;
  expect(trial.state.getState()).toMatchObject({ isRunning: false, error: null });
  const failing = createTrial(() => Promise.reject(new Error("no key")));
  await failing.start(input, "A");
  expect(failing.state.getState().error).toBeInstanceOf(Error);
});
