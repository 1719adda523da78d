import { describe, expect, it } from "vitest";
import { findAnswerFields, readAnswerField } from "./answer-fields.ts";

const objects = ['{"b":1,"a":"x"}', '{"a":"y"}', '{"a":"z","c":null}'];
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, {}]));

describe("the fields of answers", () => {
  it.each<[string, object | string | null, readonly string[], readonly string[]]>([
    ["those of the schema, in its order", { properties: { z: {}, a: {} } }, objects, ["z", "a"]],
    ["those of the schema before there is an answer", { properties: { z: {} } }, [], ["z"]],
    ["the most frequent ones without a schema", null, objects, ["a", "b", "c"]],
    ["those of the answers where the schema names none", { $ref: "#/$defs/a" }, objects, ["a", "b", "c"]],
    ["those of the answers where the schema is no JSON", "{broken", objects, ["a", "b", "c"]],
    ["none of texts", null, ["One.", "2", "null", "[1]"], []],
    ["none where two answers in ten are texts", null, [...objects, "One."], []],
    ["those where one answer in ten is a text", null, [...objects, ...objects, ...objects, "One."], ["a", "b", "c"]],
    ["those of objects in a fence of Markdown", null, ['```json\n{"a":1}\n```', '{"a":2}'], ["a"]],
    ["none without answers", null, [], []],
    ["twelve at most", { properties: many(20) }, [], Object.keys(many(12))],
    ["twelve at most, of answers too", null, [JSON.stringify(many(20))], Object.keys(many(12))],
  ])("are %s", (_name, schema, answers, fields) => {
    const text = typeof schema === "object" && schema !== null ? JSON.stringify(schema) : schema;
    expect(findAnswerFields(text, answers)).toEqual(fields);
  });

  it.each<[string, string, string | null]>([
    ['{"a":"x"}', "a", "x"],
    ['{"a":1.50}', "a", "1.5"],
    ['{"a":{"b":[1]}}', "a", '{"b":[1]}'],
    ['{"a":null}', "a", "null"],
    ['{"a":1}', "toString", null],
    ["text", "a", null],
  ])("of %s: %s is %s", (answer, field, text) => {
    expect(readAnswerField(answer, field)).toBe(text);
  });
});
