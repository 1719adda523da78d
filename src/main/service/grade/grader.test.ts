import { describe, expect, test } from "vitest";
import type { RulesGrader } from "#contract";
import { createGrader } from "./grader.ts";

const grade = (grader: RulesGrader, answer: string | null, expected: string | null, schema: string | null = null) =>
  createGrader(grader).grade({ answer, expected, schema });

type Case = readonly [grader: RulesGrader, expected: string, passing: readonly string[], failing: readonly string[]];
const number = (tolerance: number): RulesGrader => ({ name: "number", tolerance });
const json = (path: string): RulesGrader => ({ name: "json", path });

const cases: readonly Case[] = [
  [{ name: "exact" }, "Paris", ["Paris"], ["paris", "Paris.", "Paris\n", ""]],
  [{ name: "exact" }, "", [""], [" "]],
  [{ name: "text" }, "New York", ["new york", " NEW\nYORK! ", "“New-York”", "newyork"], ["York", "New York City"]],
  [{ name: "text" }, "-3.5", ["−3.5.", "(-3.5)"], ["3.5", "-35", "-3"]],
  [{ name: "text" }, "1,000", ["1000", "1,000."], ["1.000", "100"]],
  [
    number(0),
    "18",
    ["18", "She makes $18.00 a day.", "3 + 15 = 18.", "**18**", "\\boxed{18}"],
    ["17", "18 or 19", "No."],
  ],
  [
    number(0),
    "9 * 2 = 18\n#### 18",
    ["Two of 9\n#### 18\n(see page 3)", "eighteen", "18, and no one else"],
    ["#### 9 18"],
  ],
  [number(0), "1,319", ["1319", "1,319 lines"], ["1.319", "1318"]],
  [number(0), "-25", ["It is -25.", "−25 °C"], ["25"]],
  [number(0.1), "1.2", ["1.3", "1.1", "1.2"], ["1.31", "1.09"]],
  [number(5), "100", ["about 95", "105 km"], ["94.9", "one hundred and six"]],
  [{ name: "contains" }, "Ada", ["It was Ada Lovelace."], ["ada", "", "A da"]],
  [{ name: "regex" }, "^\\d{3}-\\d{2}$", ["123-45"], ["123-456", "x123-45"]],
  [{ name: "regex" }, "(?i)yes|ja", ["Oh YES.", "Ja"], ["no"]],
  [
    json("$.items[0].name"),
    "tea",
    ['{"items":[{"name":"tea"}]}', '```json\n{"items":[{"name":"tea"}]}\n```'],
    ['{"items":[]}', "tea"],
  ],
  [
    json("a.b"),
    "18",
    ['{"a":{"b":18}}', '{"a":{"b":"18"}}', '{"a":{"b":18.0}}'],
    ['{"a":{"b":19}}', '{"a":18}', '{"a":null}'],
  ],
  [json("$['two words']"), "true", ['{"two words":true}'], ['{"two words":false}']],
  [json("$"), '{"a":1,"b":[2]}', ['{"b":[2],"a":1}'], ['{"a":1}', "null"]],
  [json("$.x"), "null", ['{"x":null}'], ["{}", '{"x":0}']],
];

describe("an answer is held against the expected one", () => {
  test.each(cases)("%j %j", (grader, expected, passing, failing) => {
    for (const answer of passing)
      expect({ answer, ...grade(grader, answer, expected) }).toMatchObject({ grade: "pass" });
    for (const answer of failing)
      expect({ answer, ...grade(grader, answer, expected) }).toMatchObject({ grade: "fail" });
  });

  test("a request without an answer has no grade but that", () => {
    for (const grader of [number(0), { name: "schema" }, { name: "label" }] as const) {
      expect(grade(grader, null, "18")).toMatchObject({ grade: "no_answer", given: null, expected: "18" });
    }
    expect(grade(number(0), "18", null)).toMatchObject({ grade: "fail", why: "The table has no such row." });
  });

  test("the grade says what was expected and what the answer gave", () => {
    expect(grade(number(0.5), "So 3 × 6 = 18\n#### 18", "#### 18.4")).toEqual({
      expected: "18.4",
      given: "18",
      grade: "pass",
      why: "The answer's number is 18, as expected within 0.5.",
    });
    expect(grade({ name: "exact" }, "x".repeat(5_000), "y").given).toHaveLength(1_001);
  });

  test("an expected value that can't be used is said to be the mistake", () => {
    expect(createGrader(number(0)).findMistake("n/a")).toContain("has no number");
    expect(createGrader({ name: "regex" }).findMistake("(")).toMatch(/^'\(' is no pattern: /);
    expect(createGrader({ name: "contains" }).findMistake("")).toContain("empty");
    expect(createGrader({ name: "text" }).findMistake("")).toBeNull();
    expect(() => createGrader(json("$.a..b"))).toThrow("'$.a..b' is no path");
  });

  test("a pattern that backtracking engines hang on takes no time", () => {
    expect(grade({ name: "regex" }, `${"a".repeat(30_000)}!`, "^(a+)+$").grade).toBe("fail");
  });
});

describe("labels", () => {
  const read = (labels: readonly string[], answer: string) =>
    createGrader({ name: "label" }, labels).grade({ answer, expected: labels[0] ?? "", schema: null }).given;
  const moods = ["positive", "negative", "very positive"];

  test.each<[readonly string[], string, string | null]>([
    [moods, "Positive.", "positive"],
    [moods, "I'd call it very positive, I think.", "very positive"],
    [moods, "It sounds **negative** to me", "negative"],
    [moods, "It is positive here and negative there.", null],
    [moods, "First it looks positive.\n\nLabel: negative", "negative"],
    [moods, "nonpositive", null],
    [moods, "", null],
    [["A", "B", "C"], "A good question: the answer is B", "B"],
    [["A", "B", "C"], "(c)", "C"],
    [[">50K", "<=50K"], "The income is <=50K.", "<=50K"],
  ])("%j: %j names %j", (labels, answer, label) => {
    expect(read(labels, answer)).toBe(label);
  });
});

describe("the request's own schema", () => {
  const schema = JSON.stringify({
    type: "object",
    properties: { email: { type: "string", format: "email" }, code: { type: "string", pattern: "^(a+)+$" } },
    required: ["email"],
  });
  const fits = (answer: string, by: string | null = schema) => grade({ name: "schema" }, answer, null, by);

  test("decides, and the reason says what does not fit", () => {
    expect(fits('{"email":"ada@example.org"}').grade).toBe("pass");
    expect(fits("{}").why).toBe("The answer must have required property 'email'.");
    expect(fits('{"email":"nobody"}').why).toContain("/email");
    expect(fits(`{"email":"a@b.org","code":"${"a".repeat(5_000)}!"}`).why).toContain("/code");
    expect(fits("email: ada").why).toBe("The answer is no JSON.");
    expect(fits("{}", null).why).toBe("The request asks for no JSON schema.");
  });

  test("that can't be used, or has no end, fails its line and says so", () => {
    for (const unusable of ['{"type":"thing"}', '{"allOf":[{"$ref":"#"}]}', "[]"]) {
      expect(fits("{}", unusable)).toMatchObject({ grade: "fail", why: expect.stringContaining("can't be used") });
    }
  });
});
