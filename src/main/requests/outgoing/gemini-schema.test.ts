import { expect, test } from "vitest";
import type { ChatRequest } from "#contract";
import { toGeminiSchema } from "./gemini-schema.ts";
import { checkForConnection } from "./request-check.ts";
import { toGemini, toGeminiBatch } from "./translate-gemini.ts";

const rows = { type: "array", items: { type: "object", properties: { a: { type: "string" } } } };
const rowsThere = {
  type: "ARRAY",
  items: { type: "OBJECT", properties: { a: { type: "STRING" } }, propertyOrdering: ["a"] },
};

test("a schema of Gemini's subset is written in its words, with nullable values and the order of properties", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      z: { type: ["string", "null"], enum: ["x", "y"], description: "D" },
      n: { type: "integer", minimum: 1, format: "int32" },
      either: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      maybe: { anyOf: [rows, { type: "null" }], title: "T" },
      kind: { type: "string", const: "one" },
    },
    required: ["z", "n"],
    additionalProperties: false,
  };
  expect(toGeminiSchema(schema)).toEqual({
    schema: {
      type: "OBJECT",
      properties: {
        z: { type: "STRING", nullable: true, enum: ["x", "y"], description: "D" },
        n: { type: "INTEGER", minimum: 1, format: "int32" },
        either: { nullable: true, anyOf: [{ type: "STRING" }, { type: "NUMBER" }] },
        maybe: { ...rowsThere, title: "T", nullable: true },
        kind: { type: "STRING", enum: ["one"] },
      },
      propertyOrdering: ["z", "n", "either", "maybe", "kind"],
      required: ["z", "n"],
    },
  });
});

test.each([
  [{ type: "object", properties: { a: { $ref: "#/$defs/a" } } }, "`$ref`"],
  [{ type: "object", properties: { a: { type: "string", format: "email" } } }, "`format`"],
  [{ type: "integer", enum: [1, 2] }, "`enum` of values that are no texts"],
  [{ type: "object" }, "an object without properties"],
  [{ type: "object", properties: { a: { type: ["string", "number"] } } }, "several types of one value"],
  [{ type: "object", additionalProperties: { type: "string" } }, "`additionalProperties`"],
  [{ type: "array" }, "a schema without a type"],
  [{ type: "array", items: { type: "object", properties: { inner: rows } } }, "an array of objects in another one"],
])("%j is not of the subset: it has %s", (schema, lacks) => {
  expect(toGeminiSchema(schema)).toEqual({ lacks });
});

const ask = (schema: object): ChatRequest => ({
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ],
  response_format: { type: "json_schema", json_schema: { name: "s", schema: { ...schema } } },
});

test("a batch has the schema as responseSchema, or as text with a warning before it is submitted; a direct call as it was", () => {
  const rules = { name: "Gemini", adapter: "gemini-batch", bytes: null } as const;
  const check = (schema: object) => {
    const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: ask(schema) };
    return checkForConnection(rules, JSON.stringify(line), 3);
  };
  const config = { responseMimeType: "application/json" };
  expect(toGeminiBatch(ask(rows))).toMatchObject({
    params: { generationConfig: { ...config, responseSchema: rowsThere } },
  });
  expect(check(rows)).toEqual([]);
  const nested = { type: "array", items: { type: "object", properties: { inner: rows } } };
  const translated = toGeminiBatch(ask(nested));
  if ("problems" in translated) throw new Error("It is not translated.");
  expect(translated.params.generationConfig).toEqual(config);
  const rule = `Answer with JSON that follows this JSON schema: ${JSON.stringify(nested)}`;
  expect(translated.params.systemInstruction).toEqual({ parts: [{ text: "Be brief." }, { text: rule }] });
  expect(check(nested)).toEqual([
    {
      code: "invalid_request",
      param: "body.response_format",
      line: 3,
      severity: "warning",
      message:
        "Batches of Gemini can't enforce this schema: it has an array of objects in another one. The schema is sent as text in the prompt.",
    },
  ]);
  expect(toGemini(ask(rows))).toMatchObject({ params: { generationConfig: { ...config, responseJsonSchema: rows } } });
});

test("a picture may have spaces and parameters in its address", () => {
  const url = " data:image/png; name=a ;base64,AA\nAA";
  const messages = [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url } }] }];
  expect(toGemini({ model: "gemini", messages })).toMatchObject({
    params: { contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] }] },
  });
});
