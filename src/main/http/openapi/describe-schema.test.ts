import { expect, test } from "vitest";
import { describeSchema, type JsonSchema } from "./describe-schema.ts";

test.each<[schema: JsonSchema, text: string]>([
  [{}, "any"],
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ const: "batch", type: "string" }, '"batch"'],
  [{ enum: ["a", "b"] }, '"a" | "b"'],
  [{ type: "integer", minimum: 0, maximum: 100 }, "integer (0 to 100)"],
  [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: 5 }, "integer (5 or less)"],
  [{ $ref: "#/components/schemas/Batch" }, "Batch"],
  [{ type: "array", items: { type: "string" } }, "string[]"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "(string | null)[]"],
  [{ type: "object" }, "{}"],
  [
    {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string" },
        limit: { type: "integer", default: 20 },
        deep: { type: "object", properties: { a: {} } },
      },
    },
    "{\n  id: string\n  limit?: integer = 20\n  deep?: {\n    a?: any\n  }\n}",
  ],
  [{ type: "object", additionalProperties: { type: "string" } }, "{\n  [name]: string\n}"],
])("%j reads as a type", (schema, text) => {
  expect(describeSchema(schema)).toBe(text);
});
