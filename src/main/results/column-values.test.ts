import { expect, test } from "vitest";
import { resultChartSchema, resultRowSchema } from "#contract";
import { readValues } from "./answer-values.ts";
import { type ColumnReader, chartLines } from "./chart-lines.ts";
import { createEncoder, createValueReader, createValueTest, originOf } from "./column-values.ts";
import { readLine, toRow } from "./join-line.ts";

const read = createValueReader("answer.n");
const answered = (n: string) =>
  JSON.stringify({
    id: "r",
    custom_id: "q",
    response: {
      status_code: 200,
      request_id: "r",
      body: { choices: [{ message: { role: "assistant", content: `{"n":${n}}` }, finish_reason: "stop" }] },
    },
    error: null,
  });
const valuesOf = (written: readonly string[]) => written.map((n) => read(answered(n)));

test.each([
  ["equals", "9007199254740993", ["9007199254740993", "9007199254740993.0"]],
  ["greater", "9007199254740992", ["9007199254740993", "9007199254740993.0", "1e400"]],
  ["at_least", "9007199254740993", ["9007199254740993", "9007199254740993.0", "1e400"]],
  ["less", "1.1", ["0.1", "-0"]],
  ["equals", "1,1", ["1.10", "1.1", "11e-1"]],
  ["equals", "0", ["-0"]],
  ["equals", "10e399", ["1e400"]],
  ["contains", "99254740993", ["9007199254740993", "9007199254740993.0"]],
] as const)("numbers of answers fit %s %s by each of their digits", (op, value, expected) => {
  const written = [
    "0.1",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "1.10",
    "1.1",
    "11e-1",
    "-0",
    "1e400",
  ];
  const fits = createValueTest({ path: "answer.n", op, value });
  const values = valuesOf(written);
  expect(written.filter((_, at) => fits(values[at] ?? null))).toEqual(expected);
});

test.each(["contains", "starts_with", "equals"] as const)(
  "%s fits letters with marks however they are written",
  (op) => {
    const [nfc, nfd] = ["Café".normalize("NFC"), "CAFÉ".normalize("NFD")];
    for (const [value, found] of [
      [nfc, nfd],
      [nfd, nfc],
    ]) {
      expect(createValueTest({ path: "answer.n", op, value: value ?? "" })(found ?? "")).toBe(true);
      expect(createValueTest({ path: "answer.n", op: "one_of", values: [value ?? ""] })(found ?? "")).toBe(true);
    }
  },
);

test.each([
  ["not_contains", "fé", ["tea", " ", null]],
  ["ends_with", "FÉ", ["Café ", "cafe\u0301"]],
  ["starts_with", "ca", ["Café ", "cafe\u0301"]],
] as const)("%s %s", (op, value, expected) => {
  const fits = createValueTest({ path: "answer.n", op, value });
  expect(["Café ", "cafe\u0301", "tea", " ", null].filter(fits)).toEqual(expected);
});

test("what is blank or missing is empty, anything else is not", () => {
  const values = ["", " \n", null, "0", 0, false];
  expect(values.filter(createValueTest({ path: "answer.n", op: "empty" }))).toEqual(["", " \n", null]);
  expect(values.filter(createValueTest({ path: "answer.n", op: "not_empty" }))).toEqual(["0", 0, false]);
});

function encode(written: readonly string[]) {
  const encoder = createEncoder();
  valuesOf(written).forEach((value, place) => {
    if (value !== null) encoder.add(0, place, value);
  });
  return encoder.finish();
}

test("a column has each decimal once, and sorts numbers by their digits before text", () => {
  const { ranks, names } = encode([
    "9007199254740993",
    "9007199254740992",
    '"b"',
    "1.10",
    "11e-1",
    "1e400",
    '"A"',
    '"a"',
  ]);
  expect([...ranks]).toEqual([3, 2, 6, 1, 1, 4, 5, 5]);
  expect(names).toEqual(["1.10", "9007199254740992", "9007199254740993", "1e400", "A", "b"]);
});

test("a number of any size has its place in a row and in a chart, and spoils neither", () => {
  const odd = ["1e400", "-1e400", "1e308", "-1e308", "1e-320", "5e-324", "-0", "12345678901234567890123"];
  const plain = Array.from({ length: 20 }, (_, at) => String(at / 8));
  for (const written of [odd, plain, [...odd, ...plain], ["5e-324", "1e-323"]]) {
    for (const n of written) {
      const row = { values: readValues({ answer: `{"n":${n},"list":[${n}]}`, calls: [], otherChoices: [] }) };
      expect(resultRowSchema.pick({ values: true }).parse(row)).toEqual(row);
      expect(String(row.values["answer.n"] === 0 ? n : row.values["answer.n"])).toBe(n);
    }
    const { ranks, numbers, names } = encode(written);
    const column: ColumnReader = { rank: (at) => ranks[at] ?? 0, number: (at) => numbers[at] ?? Number.NaN, names };
    const lines = Uint32Array.from(written, (_, at) => at + 1);
    for (const measure of [null, column]) {
      const chart = chartLines(lines, column, measure, 0);
      expect(resultChartSchema.parse(chart)).toEqual(chart);
      expect(chart.known).toBe(written.length);
    }
  }
});

test("calls of tools, other choices and reasoning are columns, in rows as in filters and sorts", () => {
  const call = (name: string, input: string) => ({ type: "function", id: "c", function: { name, arguments: input } });
  const tool_calls = [
    call("weather", '{"city":"Oslo","days":1.50,"at":{"hour":7},"tags":["a","b"]}'),
    call("weather", '{"city":"Rome"}'),
    call("stop", "now"),
  ];
  const choice = (message: object, reason: string) => ({
    message: { role: "assistant", ...message },
    finish_reason: reason,
  });
  const choices = [
    choice({ content: null, tool_calls, reasoning_content: "It asks for two cities." }, "tool_calls"),
    choice({ content: "Rain." }, "stop"),
  ];
  const response = { status_code: 200, request_id: "r", body: { choices } };
  const line = JSON.stringify({ id: "r", custom_id: "q", response, error: null });
  const expected = {
    "tool.weather": '{"city":"Oslo","days":1.50,"at":{"hour":7},"tags":["a","b"]}',
    "tool.weather.city": "Oslo",
    "tool.weather.days": "1.50",
    "tool.weather.at": '{"hour":7}',
    "tool.weather.at.hour": 7,
    "tool.weather.tags": '["a","b"]',
    "tool.weather.tags.0": "a",
    "tool.weather.tags.1": "b",
    "tool.weather_2": '{"city":"Rome"}',
    "tool.weather_2.city": "Rome",
    "tool.stop": "now",
    "choice.2": "Rain.",
  };
  const { values, reasoning } = toRow(readLine({ ...lineText, response: line }));
  expect({ ...values, reasoning }).toEqual({ ...expected, reasoning: "It asks for two cities." });
  for (const [path, value] of Object.entries({ ...expected, reasoning })) {
    expect(originOf(path), path).toBe("output");
    expect(createValueReader(path)(line), path).toEqual(value);
  }
  expect(createValueReader("tool.none.city")(line)).toBeNull();
  expect(createValueReader("choice.3")(line)).toBeNull();
});

const lineText = {
  line: 1,
  asked: { batchId: "batch_1", line: 1 },
  request: "{}",
  isRequestDamaged: false,
  isDamaged: false,
  milliseconds: null,
  cost: null,
  reused: false,
  verdict: null,
  form: null,
  claims: null,
  agreement: null,
  grade: null,
};
