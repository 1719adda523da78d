import { type GenerateSyncOptions, generateSync } from "json-schema-faker";
import type { Random } from "../random.ts";
import { checkDemands } from "./check-size.ts";
import { compileSchema, type JsonObject } from "./compile-schema.ts";
import { toReadable } from "./readable-value.ts";
import { SchemaError } from "./schema-error.ts";
import { workFor } from "./time-limit.ts";

/** Values that one instance may have, and characters of text. */
const mostValues = 2_000;
const mostCharacters = 1_000_000;
/** Milliseconds for one instance; most take a few. */
const longestWork = 1_000;

/**
 * From the fullest to the plainest: a schema that one of them can't serve is often served by the next. A schema that
 * refers to itself must end somewhere, one of many levels must not end too early.
 */
const attempts: readonly (GenerateSyncOptions & { readonly isPlain: boolean })[] = [
  { isPlain: false, optionalsProbability: 0.8 },
  { isPlain: false, optionalsProbability: 0.8, maxDepth: 3 },
  { isPlain: false, optionalsProbability: 0 },
  { isPlain: false, optionalsProbability: 0, maxDepth: 60 },
  { isPlain: true, optionalsProbability: 1 },
  { isPlain: true, optionalsProbability: 0.5 },
];

export type ComposeInstance = typeof composeInstance;

/**
 * A value that is valid by the JSON schema; the same random numbers give the same one.
 * @throws SchemaError when there is none, or the schema can't be read
 */
export function composeInstance(schema: JsonObject, random: Random): unknown {
  checkDemands(schema);
  const found = workFor(longestWork, () => find(schema, random));
  if (found === undefined) throw new SchemaError("it takes too long to find a value that fits it");
  return found.value;
}

function find(schema: JsonObject, random: Random): { value: unknown } {
  const isValid = compileSchema(schema);
  const full = fillLists(schema);
  let problem = "no value was found that fits it";
  for (const { isPlain, ...options } of attempts) {
    const outputTransform = countValues(isPlain);
    const seed = random.between(0, 2 ** 31 - 1);
    try {
      const value = generateSync(isPlain ? schema : full, { ...options, seed, outputTransform });
      if (value !== undefined && isValid(value)) return { value };
    } catch (error) {
      // What the package throws itself says that these options lead nowhere.
      if (error instanceof SchemaError) problem = error.message;
    }
  }
  throw new SchemaError(problem);
}

function countValues(isPlain: boolean): NonNullable<GenerateSyncOptions["outputTransform"]> {
  let values = 0;
  let characters = 0;
  return (value, schema, path) => {
    values += 1;
    if (typeof value === "string") characters += value.length;
    if (values > mostValues || characters > mostCharacters) {
      throw new SchemaError(`a mock answer has at most ${mostValues.toLocaleString("en")} values`);
    }
    return isPlain ? value : toReadable(value, schema, path);
  };
}

/** Lists may be empty where the schema says nothing else. An answer shows more with an entry or two. */
function fillLists(schema: JsonObject): JsonObject {
  const filled = Object.entries(schema).map(([key, value]) => [key, fillWithin(value)] as const);
  const copy = Object.fromEntries(filled);
  const isOpenList = copy.type === "array" && copy.minItems === undefined && copy.maxItems === undefined;
  // Filling a list of the schema itself would never end.
  return isOpenList && !JSON.stringify(copy.items ?? null).includes('"$ref"')
    ? { ...copy, minItems: 1, maxItems: 3 }
    : copy;
}

function fillWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillWithin);
  return typeof value === "object" && value !== null ? fillLists(Object.fromEntries(Object.entries(value))) : value;
}
