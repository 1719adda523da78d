import { describe, expect, it } from "vitest";
import { findAnswerFields } from "./answer-fields.ts";

const objects = [{ b: "1", a: "x" }, { a: "y" }, { a: "z", c: "null" }];
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, {}]));

describe("the fields of answers", () => {
  it.each<[string, object | string | null, readonly (object | null)[], readonly string[]]>([
    ["those of the schema, in its order", { properties: { z: {}, a: {} } }, objects, ["z", "a"]],
    ["those of the schema before there is an answer", { properties: { z: {} } }, [], ["z"]],
    ["the most frequent ones without a schema", null, objects, ["a", "b", "c"]],
    ["those of the answers where the schema names none", { $ref: "#/$defs/a" }, objects, ["a", "b", "c"]],
    ["those of the answers where the schema is no JSON", "{broken", objects, ["a", "b", "c"]],
    ["none of texts", null, [null, null, null], []],
    ["none where two answers in ten are texts", null, [...objects, null], []],
    ["those where one answer in ten is a text", null, [...objects, ...objects, ...objects, null], ["a", "b", "c"]],
    ["none without answers", null, [], []],
    ["twelve at most", { properties: many(20) }, [], Object.keys(many(12))],
    ["twelve at most, of answers too", null, [many(20)], Object.keys(many(12))],
  ])("are %s", (_name, schema, answers, fields) => {
    const text = typeof schema === "object" && schema !== null ? JSON.stringify(schema) : schema;
    expect(findAnswerFields(text, answers)).toEqual(fields);
  });
});
