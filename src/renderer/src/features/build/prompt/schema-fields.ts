/** One field of the JSON that a model answers, as the form shows it. */
export interface SchemaField {
  readonly name: string;
  readonly type: FieldType;
  /** Of the type `choice`. */
  readonly choices: readonly string[];
  readonly required: boolean;
}

export const fieldTypes = ["text", "number", "whole", "yes_no", "choice", "list"] as const;
export type FieldType = (typeof fieldTypes)[number];

const schemas: Readonly<Record<Exclude<FieldType, "choice">, unknown>> = {
  text: { type: "string" },
  number: { type: "number" },
  whole: { type: "integer" },
  yes_no: { type: "boolean" },
  list: { type: "array", items: { type: "string" } },
};

/** The schema of an object with these fields, as indented text. */
export function writeSchema(fields: readonly SchemaField[]): string {
  const properties = Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return JSON.stringify({ type: "object", properties, required, additionalProperties: false }, null, 2);
}

function schemaOf({ type, choices }: SchemaField): unknown {
  return type === "choice" ? { type: "string", enum: choices } : schemas[type];
}

/** The fields of a schema that the form can show whole; null for any other. */
export function readSchema(text: string): SchemaField[] | null {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(schema) || !isObject(schema.properties) || !isTextList(schema.required)) return null;
  const { properties, required } = schema;
  const fields = Object.entries(properties).map(([name, part]): SchemaField | null => {
    const isRequired = required.includes(name);
    if (isObject(part) && isTextList(part.enum)) {
      return { name, type: "choice", choices: part.enum, required: isRequired };
    }
    const type = fieldTypes.find((known) => known !== "choice" && isSame(schemas[known], part));
    return type === undefined ? null : { name, type, choices: [], required: isRequired };
  });
  const known = fields.filter((field) => field !== null);
  return isSame(JSON.parse(writeSchema(known)), schema) ? known : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** Whether two values are the same JSON, whatever the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((entry, at) => isSame(entry, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
}
