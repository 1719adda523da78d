import { expect, test } from "vitest";
import { readSchema, type SchemaField, writeSchema } from "./schema-fields.ts";

const fields: SchemaField[] = [
  { name: "category", type: "choice", choices: ["praise", "complaint"], required: true },
  { name: "score", type: "whole", choices: [], required: true },
  { name: "tags", type: "list", choices: [], required: false },
];

test("a form's schema is read back as the same fields", () => {
  expect(readSchema(writeSchema(fields))).toEqual(fields);
  expect(readSchema(writeSchema([]))).toEqual([]);
});

test.each([
  ["{"],
  ['{"type":"object"}'],
  ['{"type":"object","properties":{"a":{"type":"string","minLength":3}},"required":[],"additionalProperties":false}'],
  ['{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":true}'],
])("a schema that says more is not for the form (%#)", (text) => {
  expect(readSchema(text)).toBeNull();
});
