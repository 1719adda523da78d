import { expect, test } from "vitest";
import { findExpected, gradedField } from "./graded-field.ts";

test("the field that a run compares is told by its path, and nothing within a field is taken for one", () => {
  const fieldOf = (path: string) => gradedField({ grader: { name: "json", path } });
  expect(["$.label", "label", "$['a label']", '$["a label"]', "['a.b']"].map(fieldOf)).toEqual([
    "label",
    "label",
    "a label",
    "a label",
    "a.b",
  ]);
  expect(["$", "$.a.b", "$.items[0]", "$[0]", "a['b']", ""].map(fieldOf)).toEqual([null, null, null, null, null, null]);
  expect(gradedField(null)).toBeNull();
});

test("a field is right or wrong where its line passed or failed; nothing differs from no expectation", () => {
  const run = { grader: { name: "json", path: "$.label" } } as const;
  expect(findExpected(run, { expected: "spam", grade: "pass" })).toEqual({
    key: "label",
    value: "spam",
    isRight: true,
  });
  expect(findExpected(run, { expected: "spam", grade: "fail" })).toMatchObject({ isRight: false });
  expect(findExpected(run, { expected: " ", grade: "no_expected" })).toBeNull();
  expect(findExpected(run, { expected: "spam", grade: "no_answer" })).toBeNull();
  expect(findExpected(run, undefined)).toBeNull();
  expect(findExpected(null, { expected: "spam", grade: "fail" })).toBeNull();
});
