import { expect, test } from "vitest";
import { guessGrading } from "./guess-grading.ts";

const columns = ["id", "text", "lang", "topic"];
const topics = ["billing", "bug", "login", "other"];

/** Of so many lines, the first ones are answered as the table has it. */
function sampleOf(right: number, toAnswer: (topic: string) => string, lines = 8) {
  return Array.from({ length: lines }, (_, at) => {
    const topic = topics[at % topics.length] ?? "";
    const cells = [String(at), `Ticket ${at}`, "en", topic];
    return { answer: toAnswer(at < right ? topic : "?"), cells };
  });
}

const toJson = (topic: string) => JSON.stringify({ reason: "So.", lang: "en", result: { topic } });

test.each([
  ["JSON that is right in half of the lines", columns, sampleOf(4, toJson), "topic", "$.result.topic"],
  ["JSON that is right in fewer", columns, sampleOf(3, (topic) => JSON.stringify({ topic })), null, null],
  ["the same value everywhere", columns, sampleOf(3, toJson), "lang", "$.lang"],
  [
    "JSON in a code block",
    columns,
    sampleOf(8, (topic) => `\`\`\`json\n${toJson(topic)}\n\`\`\``),
    "topic",
    "$.result.topic",
  ],
  ["plain text", columns, sampleOf(8, (topic) => topic), "topic", null],
  ["prose", columns, sampleOf(8, (topic) => `I think it is ${topic}.`), null, null],
  ["no answers", columns, [], null, null],
  [
    "a column by its name, whose values are a field's",
    columns.with(3, "label"),
    sampleOf(1, toJson),
    "label",
    "$.result.topic",
  ],
  [
    "a column by its name alone",
    columns.with(3, "Topic label"),
    sampleOf(0, (topic) => `{"note":1,"label":"${topic}"}`),
    "Topic label",
    "$.label",
  ],
  ["a column by its name before one by its values", columns.with(1, "expected"), sampleOf(8, toJson), "expected", null],
])("of %s, the expected answers are found", (_, names, sample, column, path) => {
  const candidates = names.slice(2);
  expect(guessGrading({ columns: names, sample, candidates })).toMatchObject({ column, path });
});

test.each([
  ["number", ["18", "-2.5", "$1,319", "", "12 %", "1 234"]],
  ["text", ["18", "none"]],
  ["text", ["007", "012"]],
  ["text", ["2026-11-23"]],
  ["text", ["3 apples"]],
  ["text", ["", " "]],
  ["text", []],
] as const)("of answers in words the grader is %s where %j is expected", (grader, values) => {
  const sample = values.map((value) => ({ answer: `It is ${value}, I think.`, cells: [value] }));
  expect(guessGrading({ columns: ["expected"], sample, candidates: [] })).toMatchObject({ grader });
});

test("answers in JSON have their grader, whatever is expected", () => {
  const sample = [{ answer: '{"sum":18}', cells: ["18"] }];
  expect(guessGrading({ columns: ["expected"], sample, candidates: [] })).toMatchObject({ grader: "json" });
  expect(guessGrading({ columns: ["other"], sample: [], candidates: [] })).toMatchObject({ grader: "text" });
});

test("the paths of answers are offered, the most frequent first, as a grader takes them", () => {
  const sample = ['{"a b":1,"list":[{"x":true}],"none":null}', '{"list":[{"x":false}]}'].map((answer) => ({
    answer,
    cells: [],
  }));
  expect(guessGrading({ columns: [], sample, candidates: [] }).paths).toEqual(["$.list[0].x", "$['a b']"]);
});

test("a list is offered as a whole, and each column has the path of its values", () => {
  const names = ["id", "labels", "urgent"];
  const sample = Array.from({ length: 4 }, (_, at) => ({
    answer: JSON.stringify({ labels: ["bug", `l${at}`], urgent: at % 2 === 0 }),
    cells: [String(at), `l${at}; bug`, String(at % 2 === 0)],
  }));
  const guess = guessGrading({ columns: names, sample, candidates: ["labels"] });
  expect(guess).toMatchObject({ grader: "json", column: "labels", path: "$.labels" });
  expect(guess.paths).toContain("$.labels[0]");
  expect(guess.columnPaths).toEqual({ labels: "$.labels", urgent: "$.urgent" });
  for (const name of ["Erwartet", "attendu", "Esperado", "atteso"]) {
    expect(guessGrading({ columns: ["id", name], sample: [], candidates: [] }).column).toBe(name);
  }
});
