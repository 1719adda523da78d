import { expect, test } from "vitest";
import type { Grader, RulesGrader } from "#contract";
import { createGrader } from "./grader.ts";
import { collectLabels, createLabelPairing } from "./label-pairs.ts";

async function* cellsOf(cells: readonly string[]) {
  yield cells;
}

const distinct = (count: number) => Array.from({ length: count }, (_, at) => `label ${at}`);

test("up to 20 different expected values are labels, and of the grader Label up to 100", async () => {
  const collect = (cells: readonly string[], name: Grader["name"]) => collectLabels(cellsOf(cells), { name });
  expect(await collect(["b", "", " a ", "b", "A"], "text")).toEqual(["b", "a"]);
  expect(await collect(["b", "a", "A"], "json")).toEqual(["b", "a", "A"]);
  expect(await collect(["", " "], "exact")).toBeNull();
  expect(await collect(distinct(20), "number")).toHaveLength(20);
  expect(await collect(distinct(21), "number")).toBeNull();
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
  expect(createLabelPairing(grader, labels)(input, createGrader(grader, labels).grade(input))).toEqual(pair);
});

test("a model's grades have labels, too: those of the answers that are one", () => {
  const pairOf = createLabelPairing({ name: "model", model: "m", rubric: "Right." }, ["yes", "no"]);
  const input = { answer: "No.", expected: "yes", schema: null };
  const grade = { expected: "yes", given: "No.", why: "" };
  expect(pairOf(input, { ...grade, grade: "fail" })).toEqual(["yes", "no"]);
  expect(pairOf(input, { ...grade, grade: "pass" })).toEqual(["yes", "yes"]);
});
