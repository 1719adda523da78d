import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseAnswer,
  parseAnswerObject,
  parseExactJson,
  readAnswerFields,
  toEqualForm,
  valueAt,
} from "./exact-json.ts";

const written = fc.constantFrom(
  ...["0", "-0", "7", "1.10", "-2.50", "0.1", "1e3", "1E-7", "0.0000001", "9007199254740993", "1e400", "-1e-400"],
  ...["12345678901234567890", "0.14285714285714285", "0.10000000000000001", "1e21", "100", "0.000001"],
);
const texts = fc
  .oneof(fc.string(), fc.constantFrom("1.10", '\\"9007199254740993', "\\", "e5"))
  .map((text) => JSON.stringify(text));
const jsonTexts = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    written,
    texts,
    fc.constantFrom("true", "null"),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(tie("value"), { maxLength: 3 })
      .map((items) => `{${items.map((item, at) => `"k${at}":${item}`).join(",")}}`),
  ),
})).value;

test("JSON is printed with every number as it was written", () => {
  fc.assert(
    fc.property(jsonTexts, (text) => {
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }),
  );
  expect(parseExactJson("{1.10")).toBeUndefined();
});

test("values have the same form that differ in how numbers are written and in the order of keys", () => {
  const formOf = (text: string) => JSON.stringify(parseExactJson(text), toEqualForm);
  expect(formOf('{"b":1.10,"a":[-0,1e3]}')).toBe(formOf('{"a":[0,1000.0],"b":11e-1}'));
  expect(formOf("9007199254740993.0")).toBe(formOf("9007199254740993"));
  expect(formOf("9007199254740993")).not.toBe(formOf("9007199254740992"));
  expect(formOf("1e400")).not.toBe(formOf("1e401"));
  for (const text of ['{"x":1e99999999999999999999999}', '{"x":-1.50e-99999999999999999999999}']) {
    expect(formOf(text)).toBe(text);
  }
});

test("an answer has its fields, also in a fence of Markdown; numbers are no objects", () => {
  const answer =
    '```json\n{"id": 9007199254740993, "price": 1.10, "tags": ["a", 2.0], "of": {"x.y": 1.50}, "no": null}\n```';
  expect(readAnswerFields(answer)).toEqual({
    id: "9007199254740993",
    price: "1.10",
    tags: '["a",2.0]',
    of: '{"x.y":1.50}',
    no: "null",
  });
  expect(readAnswerFields("[1.10]")).toBeNull();
  expect(readAnswerFields("1.10")).toBeNull();
  const value = parseAnswerObject(answer);
  const found = ["of.x.y", "tags.1", "price", "price.rawJSON", "tags.5", "toString"].map((path) =>
    valueAt(value, path),
  );
  expect(found.map((one) => JSON.stringify(one))).toEqual(["1.50", "2.0", "1.10", undefined, undefined, undefined]);
  expect(parseAnswer("One.")).toBeUndefined();
});
