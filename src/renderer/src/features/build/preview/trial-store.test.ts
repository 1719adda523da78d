import { expect, test } from "vitest";
import { noSourceColumns, type TrialProgress, type TrialRow } from "#contract";
import { createTrial, isOutdated, type TrialInput, usualAnswer } from "./trial-store.ts";

const template = {
  messages: [],
  connectionId: null,
  model: "m",
  temperature: null,
  maxCompletionTokens: null,
  customId: "",
};
const input: TrialInput = { sourceId: "s", draftId: "d", version: "A", template, rows: { take: "first", count: 2 } };
const [versionA, versionB] = ["A", "B"].map((key) => ({
  key,
  input: { ...input, template: { ...template, model: key } },
}));
const versions = [versionA, versionB].filter((version) => version !== undefined);

function answered(row: number, answer: string, completionTokens = 10): TrialRow {
  const measured = {
    milliseconds: 5,
    promptTokens: 9,
    completionTokens,
    cost: null,
    expected: null,
    cells: {},
    fields: null,
  };
  return { row, customId: `r-${row}`, state: "answered", question: "Why?", answer, ...measured };
}

function progress(...rows: TrialRow[]): TrialProgress {
  return { batchId: "batch_1", finished: true, waiting: null, source: noSourceColumns, rows };
}

test("each version keeps its last trial, with the answers of the one before it", async () => {
  const events = [progress(answered(1, "old", 10), answered(2, "same", 20)), progress(answered(1, "other"))];
  events.push(progress(answered(1, "new", 40)));
  let time = 0;
  const trial = createTrial(
    async () =>
      (async function* () {
        const event = events.shift();
        time += 7;
        if (event !== undefined) yield event;
      })(),
    () => time,
  );
  const [first, second] = versions;
  if (first === undefined || second === undefined) throw new Error("There are two versions.");
  await trial.start([first]);
  expect(usualAnswer(trial.state.getState().trials)).toBe(15);
  await trial.start([second]);
  await trial.start([first]);
  const { trials, latest, isRunning } = trial.state.getState();
  expect([...trials].map(([key, { rows }]) => [key, rows.map(({ answer }) => answer)])).toEqual([
    ["A", ["new"]],
    ["B", ["other"]],
  ]);
  expect(trials.get("A")).toMatchObject({
    before: new Map([
      [1, { answer: "old", fields: null }],
      [2, { answer: "same", fields: null }],
    ]),
    milliseconds: 7,
  });
  expect(latest).toBe("A");
  expect(isRunning).toBe(false);
  expect(isOutdated(first, { ...template, model: "A" })).toBe(false);
  expect(isOutdated(first, { ...template, model: "A", temperature: 1 })).toBe(true);
});

test("a stopped one ends without an error, a failed one keeps its reason and the answers that there were", async () => {
  const trial = createTrial(
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const started = trial.start(versions);
  expect(trial.state.getState().isRunning).toBe(true);
  trial.stop();
  await started;
  expect(trial.state.getState()).toMatchObject({ isRunning: false, error: null });

  const answers = [
    async () =>
      (async function* () {
        yield progress(answered(1, "old"));
      })(),
    () => Promise.reject(new Error("no key")),
  ];
  const failing = createTrial(() => answers.shift()?.() ?? Promise.reject(new Error("asked again")));
  await failing.start(versions.slice(0, 1));
  await failing.start(versions.slice(0, 1));
  expect(failing.state.getState().error).toEqual(new Error("no key"));
  expect(failing.state.getState().trials.get("A")?.rows).toHaveLength(1);
});

test("trials that were kept are shown again, never in place of a newer one, and older prompts are marked", async () => {
  const trial = createTrial(async () =>
    (async function* () {
      yield progress(answered(1, "new"));
    })(),
  );
  const [first] = versions;
  if (first === undefined) throw new Error("There is a version.");
  await trial.start([first]);
  const kept = (key: string, answer: string) => {
    const template = {
      customId: "",
      maxCompletionTokens: null,
      temperature: null,
      model: key,
      connectionId: null,
      messages: [],
    };
    return {
      key,
      batchId: `batch_${key}`,
      input: { ...input, template },
      source: noSourceColumns,
      rows: [answered(1, answer)],
      milliseconds: null,
    };
  };
  trial.restore([kept("A", "old"), kept("B", "kept")]);
  const { trials, latest } = trial.state.getState();
  expect(trials.get("A")?.rows[0]?.answer).toBe("new");
  expect(trials.get("B")).toMatchObject({ milliseconds: null, waiting: null });
  expect(latest).toBe("A");
  // In whatever order the members of a stored prompt are.
  for (const [model, isOlder] of [
    ["B", false],
    ["C", true],
  ] as const) {
    const of = trials.get("B");
    expect(of && isOutdated(of, { ...template, model })).toBe(isOlder);
  }
  expect(usualAnswer(trials)).toBe(10);
});
