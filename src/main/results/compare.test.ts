import fc from "fast-check";
import { expect, it } from "vitest";
import { comparedText, shownText } from "./answer-digests.ts";
import { compareOutcomes, createJoin, cutAroundDifference, fitsComparison } from "./compare.ts";

/** The custom_ids that batches have in common, each with its line in every batch. */
function join(batches: readonly (readonly string[])[]) {
  const joined = createJoin(batches.length);
  for (const [at, ids] of batches.entries()) {
    for (const [line, id] of ids.entries()) joined.add(at, id, line + 1);
  }
  const lines = joined.lines();
  return Array.from(lines[0] ?? [], (_, row) => lines.map((ofBatch) => ofBatch[row] ?? 0));
}

const customIds = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 10 });

it("joins each custom_id that all batches have once, whatever their order", () => {
  fc.assert(
    fc.property(fc.array(customIds, { minLength: 2, maxLength: 4 }), (batches) => {
      const [first = [], ...others] = batches;
      const rows = join(batches);
      expect(rows.map(([line = 0]) => first[line - 1])).toEqual(
        first.filter((id) => others.every((ids) => ids.includes(id))),
      );
      for (const row of rows) {
        expect(new Set(row.map((line, batch) => batches[batch]?.[line - 1])).size).toBe(1);
      }
      const turned = join(batches.toReversed()).map((row) => row.toReversed());
      const byFirst = (one: readonly number[], other: readonly number[]) => (one[0] ?? 0) - (other[0] ?? 0);
      expect(turned.sort(byFirst)).toEqual(rows);
    }),
  );
});

it("tells how the outcomes of a line differ", () => {
  const [right, wrong] = [
    { digest: 1, grade: "pass", gradedBy: "label" },
    { digest: 2, grade: "fail", gradedBy: "label" },
  ] as const;
  const none = { digest: 0, grade: "no_answer", gradedBy: "label" } as const;
  const ungraded = { digest: 1, grade: null, gradedBy: null };
  expect(compareOutcomes([right, ungraded])).toEqual({ changed: false, unanswered: false, gradesDiffer: false });
  expect(compareOutcomes([right, wrong, none])).toEqual({ changed: true, unanswered: true, gradesDiffer: true });
  expect(compareOutcomes([right, none])).toEqual({ changed: false, unanswered: true, gradesDiffer: false });
  const otherwise = { ...wrong, gradedBy: "text" };
  expect(compareOutcomes([right, otherwise]).gradesDiffer, "graded otherwise").toBe(false);
  const outcomes = [right, wrong, otherwise];
  const fits = (winner: number, loser: number) =>
    fitsComparison(compareOutcomes(outcomes), outcomes, { show: "all", win: { winner, loser } });
  expect([fits(0, 1), fits(1, 0), fits(0, 2)]).toEqual([true, false, false]);
});

it.each([
  ['{"n":1,"m":2}', '{ "m": 2.0, "n": 1.0 }', "answer", true],
  ["yes\n", "yes", "answer", true],
  ["1", "1.0", "answer", false],
  ['{"n":1}', '{"n":1.0,"m":0}', "answer.n", true],
  ['{"n":"1"}', '{"n":1}', "answer.n", false],
  ['{"n":9007199254740993}', '{"n":9007199254740992}', "answer.n", false],
  ['{"n":{"a":[1,2],"b":null}}', '{"n":{"b":null,"a":[1.0,2]}}', "answer.n", true],
  ['{"n":1.10,"m":[1e2]}', '{"m":[100.0],"n":1.1}', "answer", true],
  ['{"n":1e400}', '{"n":1e401}', "answer.n", false],
  ['{"n":null}', "{}", "answer.n", false],
  ["no JSON", "{}", "answer.n", true],
])("compares %s and %s by %s", (one, other, by, isSame) => {
  expect(comparedText(one, by) === comparedText(other, by)).toBe(isSame);
});

it("shows what is compared with numbers as they were written", () => {
  const answer = '{"b":{"y":9007199254740993,"x":1.10},"a":"1.10"}';
  expect(["answer.b", "answer.b.x", "answer.a", "answer.c"].map((by) => shownText(answer, by))).toEqual([
    '{"x":1.10,"y":9007199254740993}',
    "1.10",
    "1.10",
    null,
  ]);
});

it("cuts texts where they begin to differ", () => {
  const start = "The same words stand here again and again, ".repeat(4);
  const [one = "", other = ""] = cutAroundDifference([`${start}then red.`, `${start}then blue.`]);
  expect(one).toMatch(/^…\w[^…]{15,}then red\.$/);
  expect(other).toBe(one.replace("red", "blue"));
  expect(cutAroundDifference([start, start])).toEqual([start, start]);
  expect(cutAroundDifference(["red", "blue"])).toEqual(["red", "blue"]);
  expect(cutAroundDifference([])).toEqual([]);
});
