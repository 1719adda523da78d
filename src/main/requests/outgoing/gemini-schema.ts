import { isObject, type JsonObject } from "#main/base";

/** A JSON schema in the words of Gemini's `responseSchema`, or what that has none for. */
export type GeminiSchema = { readonly schema: JsonObject } | { readonly lacks: string };

/** What has the same name and meaning there: https://ai.google.dev/api/caching#Schema, read on 28 November 2026. */
const sameWords = new Set([
  ...["title", "description", "example", "default", "pattern", "required", "minimum", "maximum", "propertyOrdering"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "nullable"],
]);
/** What changes nothing: objects have the listed properties alone there. */
const idleWords = new Set(["$schema", "$id", "$comment", "examples"]);
const types = new Set(["string", "number", "integer", "boolean", "object", "array"]);
const formats = new Set(["date-time", "float", "double", "int32", "int64"]);

/** Why a part of a schema can't be written there. */
class LackingError extends Error {}

/**
 * Writes a schema for batches, whose answers have wrong shapes with `responseJsonSchema`. Where an array of objects is in another one, whole
 * batches fail, so that it counts as lacking.
 */
export function toGeminiSchema(schema: unknown): GeminiSchema {
  try {
    return { schema: translate(schema, false) };
  } catch (error) {
    if (error instanceof LackingError) return { lacks: error.message };
    throw error;
  }
}

/** `isInRows`: inside an array of objects. */
function translate(schema: unknown, isInRows: boolean): JsonObject {
  if (!isObject(schema)) throw new LackingError("a schema without a type");
  const { type, anyOf, ...rest } = schema;
  const named = Array.isArray(type) ? type.filter((one) => one !== "null") : type === undefined ? [] : [type];
  const isNullable = Array.isArray(type) && type.includes("null");
  if (anyOf !== undefined) return translateChoice(anyOf, { ...rest, ...(named.length > 0 && { type }) }, isInRows);
  const [only] = named;
  if (named.length !== 1 || typeof only !== "string" || !types.has(only)) {
    throw new LackingError(named.length > 1 ? "several types of one value" : describeMissingType(schema));
  }
  const found: Record<string, unknown> = { type: only.toUpperCase() };
  if (isNullable) found.nullable = true;
  for (const [word, value] of Object.entries(rest)) {
    if (idleWords.has(word) || (word === "additionalProperties" && typeof value === "boolean")) continue;
    if (sameWords.has(word)) found[word] = value;
    else if (word === "format" && formats.has(String(value))) found.format = value;
    else if (word === "enum" || word === "const") found.enum = toStrings(word === "enum" ? value : [value]);
    else if (word !== "properties" && word !== "items") throw new LackingError(`\`${word}\``);
  }
  if (only === "object") return { ...found, ...translateProperties(rest, isInRows) };
  if (only !== "array") return found;
  const isRows = isObject(rest.items) && hasObjects(rest.items);
  if (isRows && isInRows) throw new LackingError("an array of objects in another one");
  return { ...found, items: translate(rest.items, isInRows || isRows) };
}

function describeMissingType(schema: JsonObject): string {
  return "$ref" in schema ? "`$ref`" : "a schema without a type";
}

/** Whether a value of the schema may be an object, or an array of them. */
function hasObjects({ type, anyOf, items }: JsonObject): boolean {
  if ([type].flat().includes("object")) return true;
  const inner = [...(Array.isArray(anyOf) ? anyOf : []), items];
  return inner.some((one) => isObject(one) && hasObjects(one));
}

function translateProperties({ properties }: JsonObject, isInRows: boolean): JsonObject {
  const entries = Object.entries(isObject(properties) ? properties : {});
  if (entries.length === 0) throw new LackingError("an object without properties");
  return {
    properties: Object.fromEntries(entries.map(([name, one]) => [name, translate(one, isInRows)])),
    // Else they come in the order of the alphabet.
    propertyOrdering: entries.map(([name]) => name),
  };
}

/** A choice that may be null is a nullable one. */
function translateChoice(anyOf: unknown, rest: JsonObject, isInRows: boolean): JsonObject {
  const choices = Array.isArray(anyOf) ? anyOf : [];
  const others = choices.filter((one) => !isObject(one) || one.type !== "null");
  const [only] = others;
  const words = Object.entries(rest).filter(([word]) => !idleWords.has(word));
  const beyond = words.find(([word]) => word !== "title" && word !== "description");
  if (beyond !== undefined || only === undefined) throw new LackingError("`anyOf` beside other rules");
  const nullable = others.length < choices.length ? { nullable: true } : {};
  const about = { ...Object.fromEntries(words), ...nullable };
  if (others.length === 1) return { ...translate(only, isInRows), ...about };
  return { ...about, anyOf: others.map((one) => translate(one, isInRows)) };
}

function toStrings(values: unknown): readonly string[] {
  const all = Array.isArray(values) ? values : [];
  if (all.length === 0 || !all.every((one) => typeof one === "string")) {
    throw new LackingError("`enum` of values that are no texts");
  }
  return all;
}
