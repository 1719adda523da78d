import { expect, test } from "vitest";
import { type Grader, listConfusions, type RulesGrader } from "#contract";
import { createGrader } from "./grader.ts";
import { collectLabels, createTally } from "./label-pairs.ts";
import { isPairKey, toTallyKey } from "./pair-keys.ts";
import { summarizeGrades } from "./summarize.ts";

async function* cellsOf(cells: readonly string[]) {
  yield cells;
}

const distinct = (count: number) => Array.from({ length: count }, (_, at) => `label ${at}`);

test("up to 100 different expected values are labels", async () => {
  const collect = async (cells: readonly string[], name: Grader["name"]) =>
    (await collectLabels(cellsOf(cells), { name })).labels;
  expect(await collect(["b", "", " a ", "b", "A"], "text")).toEqual(["b", "a"]);
  expect(await collect(["b", "a", "A"], "json")).toEqual(["b", "a", "A"]);
  expect(await collect(["", " "], "exact")).toBeNull();
  expect(await collect(distinct(100), "number")).toHaveLength(100);
  expect(await collect(distinct(101), "number")).toBeNull();
  expect(await collect(distinct(100), "label")).toHaveLength(100);
  await expect(collect(distinct(101), "label")).rejects.toThrow("more than 100 different values");
});

const topic = (label: string) => JSON.stringify({ topic: label });

test.each<
  [grader: RulesGrader, expected: string, answer: string | null, pair: readonly [string, string | null] | null]
>([
  [{ name: "json", path: "$.topic" }, "billing", topic("billing"), ["billing", "billing"]],
  [{ name: "json", path: "$.topic" }, "billing", topic("bug"), ["billing", "bug"]],
  [{ name: "json", path: "$.topic" }, "billing", topic("Billing"), ["billing", null]],
  [{ name: "json", path: "$.topic" }, "billing", "no JSON", ["billing", null]],
  [{ name: "json", path: "$.topic" }, "", topic("bug"), null],
  [{ name: "json", path: "$.topic" }, "billing", null, null],
  [{ name: "text" }, "Billing ", "billing.", ["billing", "billing"]],
  [{ name: "text" }, "billing", "BUG", ["billing", "bug"]],
  [{ name: "text" }, "billing", topic("bug"), ["billing", null]],
  [{ name: "contains" }, "billing", "It is a bug.", ["billing", "bug"]],
  [{ name: "contains" }, "billing", "A bug or a login?", ["billing", null]],
  [{ name: "regex" }, "billing", "a login it is", ["billing", "login"]],
  [{ name: "exact" }, "billing", "Billing", ["billing", null]],
  [{ name: "label" }, "Bug", "This is not a bug, but a login.", ["bug", "login"]],
])("%o: of %o the answer %o gives %o", (grader, expected, answer, pair) => {
  const labels = ["billing", "bug", "login"];
  const input = { answer, expected, schema: null };
  const tally = createTally(grader, { labels, items: null })(input, createGrader(grader, labels).grade(input));
  expect(Object.keys(tally).filter(isPairKey)).toEqual(pair === null ? [] : [toTallyKey(pair)]);
});

test("labels of lists are counted one by one, in any order, and what was given instead of which", async () => {
  const grader: RulesGrader = { name: "json", path: "$.labels" };
  const columns = await collectLabels(cellsOf(["billing; bug", "bug", '["login"]', ""]), grader);
  expect(columns.items).toEqual(["billing", "bug", "login"]);
  const [tally, { grade }] = [createTally(grader, columns), createGrader(grader)];
  const tallies = new Map<string, number>();
  const counts = { pass: 0, fail: 0, no_answer: 0, no_expected: 0 };
  for (const [expected, given] of [
    ["billing; bug", ["bug", "billing"]],
    ["billing; bug", ["billing", "login"]],
    ["bug", ["bug", "other"]],
    ["bug", []],
    ["", ["bug"]],
  ] as const) {
    const input = { answer: JSON.stringify({ labels: given }), expected, schema: null };
    const found = grade(input);
    counts[found.grade] += 1;
    for (const [key, count] of Object.entries(tally(input, found))) tallies.set(key, (tallies.get(key) ?? 0) + count);
  }
  const summary = summarizeGrades({ counts, tallies, ...columns });
  expect(summary).toMatchObject({ passed: 1, failed: 3, noExpected: 1, labels: { areLists: true } });
  expect(summary.labels?.labels).toEqual([
    { label: "billing", precision: 1, recall: 1 },
    { label: "bug", precision: 1, recall: 0.5 },
    { label: "login", precision: 0, recall: null },
  ]);
  expect(summary.labels && listConfusions(summary.labels)).toEqual([
    { expected: "bug", given: "login", count: 1 },
    { expected: "bug", given: null, count: 1 },
  ]);
});

test("a model's grades have labels, too: those of the answers that are one", () => {
  const tally = createTally({ name: "model", model: "m", rubric: "Right." }, { labels: ["yes", "no"], items: null });
  const pairOf = (...graded: Parameters<typeof tally>) => Object.keys(tally(...graded)).find(isPairKey);
  const input = { answer: "No.", expected: "yes", schema: null };
  const grade = { expected: "yes", given: "No.", why: "" };
  expect(pairOf(input, { ...grade, grade: "fail" })).toBe('["yes","no"]');
  expect(pairOf(input, { ...grade, grade: "pass" })).toBe('["yes","yes"]');
});
