import type { JsonSchema } from "json-schema-faker";

/** What makes a string more than any text: it is left as it was made. */
const stringRules = ["pattern", "format", "enum", "const", "contentEncoding", "allOf", "not", "template"];
const numberRules = ["enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/**
 * A value that people like to read in place of a random one, where the schema leaves the choice: text that names its
 * field, as `Mock final answer`, and numbers with two decimals at most.
 */
export function toReadable(value: unknown, schema: JsonSchema, path: string): unknown {
  if (typeof schema === "boolean") return value;
  if (typeof value === "string" && !hasAny(schema, stringRules)) {
    return fitLength(nameText(path), schema.minLength ?? 0, schema.maxLength ?? Number.POSITIVE_INFINITY);
  }
  if (typeof value === "number" && !hasAny(schema, numberRules)) {
    return Number.isInteger(value) ? Math.abs(value) % 100 : Math.round(Math.abs(value) * 10) / 100;
  }
  return value;
}

/** `/steps/0/final_answer` → `Mock final answer`; an item is named after its list and counted from 1. */
function nameText(path: string): string {
  const keys = path.split("/").filter((key) => key !== "");
  const at = keys.findLastIndex((key) => !/^\d+$/.test(key));
  const name = (keys[at] ?? "text").replaceAll("~1", "/").replaceAll("~0", "~");
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/[_\s-]+/g, " ");
  const numbers = keys.slice(at + 1).map((key) => ` ${Number(key) + 1}`);
  return `Mock ${words.trim().toLowerCase()}${numbers.join("")}`;
}

/** Lengths of a schema are in code points, as this cuts them. */
function fitLength(text: string, least: number, most: number): string {
  const points = [...text.toWellFormed()];
  while (points.length < least) points.push(..." and so on".slice(0, least - points.length));
  return points.length > most ? points.slice(0, most).join("").trimEnd().padEnd(least) : points.join("");
}

function hasAny(schema: object, rules: readonly string[]): boolean {
  return rules.some((rule) => rule in schema);
}
