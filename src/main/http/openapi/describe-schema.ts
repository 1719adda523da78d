import { z } from "zod";

/** The parts of JSON schema that the API description uses. */
export interface JsonSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

export const jsonSchemaSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), jsonSchemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: jsonSchemaSchema.optional(),
    additionalProperties: z.union([z.boolean(), jsonSchemaSchema]).optional(),
    anyOf: z.array(jsonSchemaSchema).optional(),
    oneOf: z.array(jsonSchemaSchema).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
);

/** A schema as people write types: `{ id: string, errors: BatchError[] | null }`, one field a line. */
export function describeSchema(schema: JsonSchema, indent = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => describeSchema(choice, indent)))].join(" | ");
  if (schema.type === "array") return describeList(schema.items ?? {}, indent);
  if (schema.type === "object") return describeObject(schema, indent);
  return [schema.type ?? "any"].flat().join(" | ") + describeRange(schema);
}

function describeList(items: JsonSchema, indent: string): string {
  const item = describeSchema(items, indent);
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function describeObject({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    const usual = schema.default === undefined ? "" : ` = ${JSON.stringify(schema.default)}`;
    return `${inner}${name}${mark}: ${describeSchema(schema, inner)}${usual}`;
  });
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
    lines.push(`${inner}[name]: ${describeSchema(additionalProperties, inner)}`);
  }
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function describeRange({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  const isBounded = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER];
  if (isBounded[0] && isBounded[1]) return ` (${minimum} to ${maximum})`;
  if (isBounded[0]) return ` (${minimum} or more)`;
  return isBounded[1] ? ` (${maximum} or less)` : "";
}
