import { expect, test } from "vitest";
import { type Grade, listConfusions, wilsonInterval } from "#contract";
import { compareGrades, correctForMany } from "./compare.ts";
import { toTallyKey } from "./pair-keys.ts";
import { summarizeGrades } from "./summarize.ts";

test("accuracy leaves out what has no answer, and has an interval", () => {
  const none = { tallies: new Map<string, number>(), labels: null, items: null };
  const summary = summarizeGrades({ ...none, counts: { pass: 8, fail: 2, no_answer: 5, no_expected: 3 } });
  expect(summary).toMatchObject({ graded: 15, passed: 8, failed: 2, noAnswer: 5, noExpected: 3, accuracy: 0.8 });
  expect(summarizeGrades({ ...none, counts: { pass: 0, fail: 0, no_answer: 3, no_expected: 0 } })).toMatchObject({
    graded: 3,
    accuracy: null,
    interval: null,
  });
});

test.each<[passed: number, of: number, low: number, high: number]>([
  // R: binom::binom.wilson(x, n)
  [8, 10, 0.490162, 0.943318],
  [0, 10, 0, 0.277533],
  [10, 10, 0.722467, 1],
  [1_200, 1_319, 0.893106, 0.924075],
])("Wilson's interval of %d of %d is [%d, %d]", (passed, of, low, high) => {
  const [from, to] = wilsonInterval(passed, of) ?? [];
  expect(from).toBeCloseTo(low, 5);
  expect(to).toBeCloseTo(high, 5);
});

test("labels have a table of what was expected and given, with precision and recall", () => {
  const pairs = new Map<string, number>();
  const add = (expected: string, given: string | null, count: number) => {
    pairs.set(toTallyKey([expected, given]), count);
  };
  add("yes", "yes", 6);
  add("yes", "no", 2);
  add("no", "no", 3);
  add("no", null, 1);
  const counts = { pass: 9, fail: 3, no_answer: 0, no_expected: 0 };
  const { labels } = summarizeGrades({ counts, tallies: pairs, labels: ["yes", "no", "?"], items: null });
  expect(labels).toEqual({
    labels: [
      { label: "yes", precision: 1, recall: 0.75 },
      { label: "no", precision: 0.6, recall: 0.75 },
      { label: "?", precision: null, recall: null },
    ],
    counts: [
      [6, 2, 0, 0],
      [0, 3, 0, 1],
      [0, 0, 0, 0],
    ],
    areLists: false,
  });
  expect(labels && listConfusions(labels)).toEqual([
    { expected: "yes", given: "no", count: 2 },
    { expected: "no", given: null, count: 1 },
  ]);
});

test("what all failed answers have in common is said", () => {
  const failureOf = (failures: readonly (readonly [string | null, number])[], fail: number) => {
    const tallies = new Map(failures.map(([failure, count]) => [toTallyKey({ failure }), count]));
    const counts = { pass: 1, fail, no_answer: 0, no_expected: 0 };
    return summarizeGrades({ counts, tallies, labels: null, items: null }).failure;
  };
  expect(failureOf([["The answer is no JSON.", 3]], 3)).toBe("The answer is no JSON.");
  expect(
    failureOf(
      [
        ["The answer is no JSON.", 3],
        [null, 1],
      ],
      4,
    ),
  ).toBeNull();
  expect(failureOf([[null, 4]], 4)).toBeNull();
});

test("two batches are compared line by line, and chance has its probability", () => {
  const grades = (marks: string): (Grade | null)[] =>
    Array.from(marks, (mark) => (({ "+": "pass", "-": "fail", o: "no_answer" }) as const)[mark] ?? null);
  const compared = compareGrades(grades("++--+o +"), grades("+-+-+++-"));
  expect(compared).toMatchObject({ bothPassed: 2, bothFailed: 1, onlyFirst: [2, 8], onlySecond: [3] });
  expect(compared.p).toBe(1);
  // R: binom.test(2, 12)$p.value and binom.test(0, 6)$p.value
  expect(compareGrades(grades(`${"+".repeat(10)}--`), grades(`${"-".repeat(10)}++`)).p).toBeCloseTo(0.03857, 5);
  expect(compareGrades(grades("++++++"), grades("------")).p).toBeCloseTo(0.03125, 5);
  expect(compareGrades(grades("++"), grades("++")).p).toBe(1);
  const many = compareGrades(
    grades("+".repeat(9_000) + "-".repeat(9_000)),
    grades("-".repeat(9_000) + "+".repeat(9_000)),
  );
  expect(many.p).toBeCloseTo(1, 5);
});

test("the more pairs are compared, the likelier one is uneven by chance", () => {
  // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  expect(correctForMany([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02].map((p) => expect.closeTo(p, 9)));
  expect(correctForMany([0.6, 0.7])).toEqual([1, 1]);
  expect(correctForMany([])).toEqual([]);
});
