import { expect, test } from "vitest";
import { gradedField } from "./graded-field.ts";

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
