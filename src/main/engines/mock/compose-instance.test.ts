import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRandom } from "../random.ts";
import { SchemaError } from "./check-schema.ts";
import { composeInstance } from "./compose-instance.ts";

type Schema = Record<string, unknown>;
const compose = (schema: Schema, seed = 1) => composeInstance(schema, createRandom(seed));

/** Finds what is wrong with a value; null when it is valid. */
function createFaultFinder(schema: Schema): (value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const { $schema: _, ...rest } = schema;
  const check = ajv.compile(rest);
  return (value) => (check(value) ? null : ajv.errorsText(check.errors));
}

const objectOf = (properties: Schema, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

/** Each of its values has 20 of its own kind, or none. */
const wide = objectOf(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, { anyOf: [{ $ref: "#" }, { type: "null" }] }])),
);
const tree = objectOf({ name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } });
const linked: Schema = {
  $ref: "#/$defs/node",
  $defs: {
    node: objectOf({ value: { type: "number" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } }),
  },
};

describe("a value is valid by its schema:", () => {
  test.each<[name: string, schema: Schema]>([
    ["a strict object", objectOf({ name: { type: "string" }, age: { type: "integer" }, tall: { type: "boolean" } })],
    ["an enum with null", objectOf({ unit: { enum: ["c", "f", null] } })],
    ["a tree", tree],
    ["a linked list", linked],
    ["what branches widely", wide],
    ["definitions of an older draft", { $ref: "#/definitions/a", definitions: { a: objectOf({ b: { const: 5 } }) } }],
    ["a choice", { anyOf: [objectOf({ a: { type: "string" } }), objectOf({ b: { type: "number" } })] }],
    [
      "bounds",
      objectOf({ a: { type: "number", minimum: 3, exclusiveMaximum: 4 }, b: { type: "integer", multipleOf: 7 } }),
    ],
    ["lengths", objectOf({ a: { type: "string", maxLength: 3 }, b: { type: "string", minLength: 80 } })],
    ["a pattern", objectOf({ code: { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" } })],
    [
      "properties by patterns alone",
      { ...objectOf({}), patternProperties: { "^x_": { type: "string" } }, minProperties: 2 },
    ],
    [
      "properties by name and by patterns",
      {
        ...objectOf({ size: { type: "integer" } }),
        patternProperties: { "^[a-z]{2}$": { type: "string", minLength: 1 }, "^\\d+$": { type: "boolean" } },
        minProperties: 5,
      },
    ],
    ["different entries", { type: "array", items: { type: "string" }, minItems: 4, uniqueItems: true }],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 2 }],
    ["any object", { type: "object" }],
    ["anything", {}],
    ["twelve levels", Array.from({ length: 12 }).reduce<Schema>((inner) => objectOf({ inner }), { type: "string" })],
    ["a draft-07 schema", { $schema: "http://json-schema.org/draft-07/schema#", ...objectOf({ a: { type: "null" } }) }],
    ["an id of its own", { $id: "https://example.com/a", ...objectOf({ a: { $ref: "#/$defs/b" } }), $defs: { b: {} } }],
    ...["date", "time", "date-time", "duration", "email", "uri", "uuid", "hostname", "ipv4", "ipv6"].map(
      (format): [string, Schema] => [format, objectOf({ value: { type: "string", format } })],
    ),
  ])("%s", (_name, schema) => {
    const findFault = createFaultFinder(schema);
    for (let seed = 0; seed < 6; seed++) expect(findFault(compose(schema, seed))).toBeNull();
  });

  test("what zod makes of its own", () => {
    const schema = z.object({
      mail: z.email(),
      site: z.url(),
      when: z.iso.datetime(),
      at: z.iso.time(),
      phone: z.e164(),
      steps: z.array(z.object({ explanation: z.string(), output: z.string().nullable() })).nonempty(),
      kind: z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), text: z.string() }),
        z.object({ type: z.literal("b"), count: z.int().min(1).max(3) }),
      ]),
      optional: z.string().optional(),
    });
    for (let seed = 0; seed < 6; seed++) schema.parse(compose(z.toJSONSchema(schema), seed));
  });

  test("whatever the schema, or there is an error that says why not", () => {
    const anyLeaf = fc.oneof(
      fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null", "strange") }),
      fc.record({ type: fc.constant("string"), minLength: fc.nat(30), maxLength: fc.nat(30) }),
      fc.record({ type: fc.constant("integer"), minimum: fc.integer(), maximum: fc.integer() }),
      fc.record({ enum: fc.array(fc.jsonValue(), { maxLength: 3 }) }),
      fc.record({ const: fc.jsonValue() }),
      fc.record({ $ref: fc.constantFrom("#", "#/properties/a", "#/$defs/none", "https://example.com/none") }),
      fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^a+$", "(", "[", "^(a|b){3}$") }),
    );
    const { anySchema } = fc.letrec((tie) => ({
      anySchema: fc.oneof(
        { depthSize: "small" },
        anyLeaf,
        fc.record({
          type: fc.constant("object"),
          properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__", "a/b~c", ""), tie("anySchema"), {
            maxKeys: 3,
          }),
          required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
        }),
        fc.record({
          type: fc.constant("array"),
          items: tie("anySchema"),
          minItems: fc.nat(3),
          uniqueItems: fc.boolean(),
        }),
        fc.record({ anyOf: fc.array(tie("anySchema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie("anySchema"), { minLength: 1, maxLength: 2 }) }),
        fc.record({ not: tie("anySchema") }),
      ),
    }));
    fc.assert(
      fc.property(anySchema, fc.nat(), (anything, seed) => {
        const schema = z.record(z.string(), z.unknown()).parse(anything);
        try {
          const value = compose(schema, seed);
          const findFaults = tryCompile(schema);
          if (findFaults !== null) expect(findFaults(value)).toBeNull();
        } catch (error) {
          // A schema that refers to itself in a circle leads the validator of the test round and round.
          if (error instanceof RangeError) return;
          if (!(error instanceof SchemaError)) throw error;
          expect(error.message).toMatch(/^at #.*, ./s);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Null for a pattern that is none in a part of the schema that no value needs: the validator of the test compiles that, too. */
function tryCompile(schema: Record<string, unknown>) {
  try {
    return createFaultFinder(schema);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

test("the same random numbers give the same value, others another", () => {
  expect(compose(linked, 5)).toEqual(compose(linked, 5));
  const schema = objectOf({ score: { type: "number" } });
  expect(compose(schema, 5)).not.toEqual(compose(schema, 6));
});

test("text and numbers are such as people read", () => {
  const schema = objectOf({
    finalAnswer: { type: "string" },
    steps: { type: "array", items: objectOf({ to_do: { type: "string" } }) },
    tags: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
    score: { type: "number" },
  });
  const value = z
    .object({
      finalAnswer: z.string(),
      steps: z.array(z.object({ to_do: z.string() })),
      tags: z.array(z.string()),
      score: z.number(),
    })
    .parse(compose(schema));
  expect(value).toMatchObject({ finalAnswer: "Mock final answer", tags: ["Mock tags 1", "Mock tags 2"] });
  expect(value.steps[0]).toEqual({ to_do: "Mock to do" });
  expect(String(value.score)).toMatch(/^\d{1,4}(\.\d{1,2})?$/);
});

const endless = "it refers to itself without end";
const deep = (levels: number, inner: Schema): Schema =>
  Array.from({ length: levels }).reduce<Schema>((items) => ({ type: "array", items, minItems: 1 }), inner);
/** Each definition is made of two of the next. */
const doubling = (levels: number): Schema => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, at === levels - 1 ? { type: "integer" } : { allOf: [next, next] }];
    }),
  ),
});
/** The same, where each value has two of the next inside. */
const spreading = (levels: number): Schema => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, at === levels - 1 ? { type: "integer" } : objectOf({ a: next, b: next })];
    }),
  ),
});

describe("a schema is refused with its path and the reason,", () => {
  test.each<[name: string, schema: Schema, path: string, reason: string]>([
    ["when nothing fits it", { type: "integer", minimum: 5, maximum: 3 }, "#", "no value was found"],
    ["when it is none", { type: "strange" }, "#", "schema is invalid"],
    ["when a reference leads nowhere", { $ref: "#/$defs/none" }, "#", "can't resolve reference #/$defs/none"],
    ["when a reference leads out", { $ref: "https://example.com/a" }, "#", "can't resolve reference"],
    ["when its pattern is none", { type: "string", pattern: "(" }, "#", "Unterminated group"],
    ["when its text is too long", objectOf({ a: { minLength: 1e9 } }), "#/properties/a", "'minLength' is 1000000000"],
    ["when its pattern is too long", { items: { pattern: "^(a{1000}){1000}$" } }, "#/items", "'pattern' is"],
    [
      "when lists in lists are too long",
      { type: "array", minItems: 9_000, items: { type: "array", minItems: 9_000, items: {} } },
      "#",
      "2,000 values",
    ],
    ["when it is made of itself", { allOf: [{ $ref: "#" }] }, "#/allOf/0", endless],
    ["when it is made of itself and more", { allOf: [{ type: "string" }, { $ref: "#" }] }, "#/allOf/1", endless],
    [
      "when two are made of one another",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
      "#/$defs/b/allOf/0",
      endless,
    ],
    ["when an anchor leads back", { $anchor: "top", allOf: [{ $ref: "#top" }] }, "#/allOf/0", endless],
    ["when a field needs itself", objectOf({ a: { $ref: "#" } }), "#/properties/a", endless],
    [
      "when every choice needs itself",
      objectOf({ a: { anyOf: [{ $ref: "#" }, objectOf({ b: { $ref: "#" } })] } }),
      "#/properties/a/anyOf/0",
      endless,
    ],
    ["when a list needs itself", { type: "array", items: { $ref: "#" }, minItems: 1 }, "#/items", endless],
    ["when it is what it is not", { type: "string", not: { $ref: "#" } }, "#", "no value was found"],
    ["when it doubles", doubling(30), "#/$defs/d17", "10,000 parts"],
    ["when its values double", spreading(30), "#", "2,000 values"],
    [
      "when it is wide",
      objectOf(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, {}]))),
      "#",
      "2,000 parts",
    ],
    ["when it has a million of characters", { enum: ["x".repeat(1_000_000)] }, "#", "1,000,000 characters"],
  ])("%s", (_name, schema, path, reason) => {
    expect(() => compose(schema)).toThrow(SchemaError);
    expect(() => compose(schema)).toThrow(new RegExp(`^at ${RegExp.escape(path)}, .*${RegExp.escape(reason)}`, "s"));
  });
});

describe("a schema that could be followed for ever is answered where it can end:", () => {
  test.each<[name: string, schema: Schema, fits: (value: unknown) => boolean]>([
    ["a choice that comes last", { anyOf: [{ $ref: "#" }, { type: "string" }] }, (value) => typeof value === "string"],
    ["a choice that comes first", { anyOf: [{ const: 7 }, { $ref: "#" }] }, (value) => value === 7],
    ["one of two", { oneOf: [{ $ref: "#" }, { type: "null" }] }, (value) => value === null],
    [
      "a choice between two that choose",
      {
        $ref: "#/$defs/a",
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }, { const: 1 }] } },
      },
      (value) => value === 1,
    ],
    [
      "a field that may be left out",
      { type: "object", properties: { a: { $ref: "#" } } },
      (value) => typeof value === "object",
    ],
    ["a list that may be empty", { type: "array", items: { $ref: "#" } }, Array.isArray],
    ["a hundred levels", deep(100, { type: "integer" }), Array.isArray],
    [
      "names of a prototype",
      objectOf({ constructor: { type: "integer" }, toString: { type: "integer" } }),
      (value) => Object.keys(Object(value)).length === 2,
    ],
    [
      "a large enum",
      { enum: Array.from({ length: 30_000 }, (_, at) => `value ${at}`) },
      (value) => typeof value === "string",
    ],
    [
      "1,500 fields",
      objectOf(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`p${at}`, { type: "null" }]))),
      (value) => Object.keys(Object(value)).length === 1_500,
    ],
  ])("%s", (_name, schema, fits) => {
    for (let seed = 0; seed < 4; seed++) expect(compose(schema, seed)).toSatisfy(fits);
  });
});
