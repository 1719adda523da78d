import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type GenerateSyncOptions, generateSync, type JsonSchema } from "json-schema-faker";
import type { Random } from "../random.ts";
import { checkSchema, type JsonObject, SchemaError } from "./check-schema.ts";

/** Characters that a schema's text may have. */
const mostText = 1_000_000;
/** Values that one instance may have. */
const mostValues = 2_000;
/** Characters of text, and parts of a schema that are looked at, in all attempts at one instance. */
const mostCharacters = 250_000;
const mostSteps = 40_000;

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
  { isPlain: true, optionalsProbability: 0, maxDepth: 300, maxDefaultItems: 0 },
];

export type ComposeInstance = typeof composeInstance;

/**
 * A value that is valid by the JSON schema; the same random numbers give the same one. How much work it may be is counted
 * in values and steps, never in time: a schema that can't be served can't be served on any machine.
 * @throws SchemaError when there is none, or the schema can't be read
 */
export function composeInstance(schema: JsonObject, random: Random): unknown {
  const { named, filled, isValid } = prepareSchema(schema);
  const countStep = createCounter(mostSteps, "it takes too many steps to find a value that fits it");
  const countCharacters = createCounter(
    mostCharacters,
    `a mock answer has at most ${format(mostCharacters)} characters`,
  );
  let problem = "no value was found that fits it";
  for (const { isPlain, ...options } of attempts) {
    const countValue = createCounter(mostValues, `a mock answer has at most ${format(mostValues)} values`);
    /** Checked with each step, too: a choice of the schema that fails is only followed by the next one. */
    const countSteps = new Proxy<Record<string, string>>(
      {},
      {
        ownKeys() {
          countStep(1);
          countValue(0);
          countCharacters(0);
          return [];
        },
      },
    );
    const outputTransform: GenerateSyncOptions["outputTransform"] = (value, part, path) => {
      countValue(1);
      if (typeof value === "string") countCharacters(value.length);
      return isPlain ? value : toReadable(value, part, path);
    };
    const seed = random.between(0, 2 ** 31 - 1);
    try {
      // The package asks for the other names of keywords at each step. Nothing else of it tells of a step.
      const value = generateSync(isPlain ? named : filled, {
        ...options,
        seed,
        outputTransform,
        propAliases: countSteps,
      });
      if (value !== undefined && isValid(value)) return value;
    } catch (error) {
      // An error of the package's own means that these options lead nowhere.
      if (error instanceof LimitError) problem = error.message;
    }
  }
  throw new SchemaError("#", problem);
}

function createCounter(most: number, problem: string): (more: number) => void {
  let count = 0;
  return (more) => {
    count += more;
    if (count > most) throw new LimitError(problem);
  };
}

/** A limit that an attempt went over. */
class LimitError extends Error {}

interface PreparedSchema {
  /** With names for properties that it demands and has patterns for alone. */
  readonly named: JsonObject;
  /** The same with an entry or two in lists that may be empty. */
  readonly filled: JsonObject;
  readonly isValid: (value: unknown) => boolean;
}

/** Lines of a batch share their schema: the last ones used stay prepared. */
const mostPrepared = 50;
const prepared = new Map<string, PreparedSchema>();

function prepareSchema(schema: JsonObject): PreparedSchema {
  const text = JSON.stringify(schema);
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (text.length > mostText) throw new SchemaError("#", `it has more than ${format(mostText)} characters`);
  const isValid = compile(checkSchema(schema));
  const named = nameProperties(schema);
  const fresh = { isValid, named, filled: fillLists(named) };
  const [oldest] = prepared.keys();
  if (prepared.size === mostPrepared && oldest !== undefined) prepared.delete(oldest);
  prepared.set(text, fresh);
  return fresh;
}

/** To look for one mistake at a time nests the code as deep as the schema is wide; to optimize it takes longer than to run it. */
const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);

/** The check of values against a JSON schema (drafts 6 to 2020-12). */
function compile({ $schema: _, ...schema }: JsonObject): (value: unknown) => boolean {
  try {
    return ajv.compile<unknown>(schema);
  } catch (error) {
    throw new SchemaError("#", error instanceof Error ? error.message : "it can't be read");
  } finally {
    // Its ids must not meet those of the next one.
    ajv.removeSchema(schema);
  }
}

/**
 * Where an object must have more properties than the schema names, and patterns describe the others, properties whose names
 * fit the patterns are added: the package makes up names of its own, which fit none.
 */
function nameProperties(schema: JsonObject): JsonObject {
  const name = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(name);
    return typeof value === "object" && value !== null ? nameObject(value) : value;
  };
  function nameObject(object: object): JsonObject {
    const copy: JsonObject = Object.fromEntries(Object.entries(object).map(([key, value]) => [key, name(value)]));
    const { minProperties: least, patternProperties, required } = copy;
    if (
      typeof least !== "number" ||
      least > mostValues ||
      typeof patternProperties !== "object" ||
      patternProperties === null
    )
      return copy;
    const patterns = Object.entries(patternProperties);
    const properties = new Map<string, unknown>(Object.entries(copy.properties ?? {}));
    const added: string[] = [];
    for (let seed = 0; properties.size < least && patterns.length > 0 && seed < 2 * least; seed++) {
      const [pattern, part] = patterns[seed % patterns.length] ?? ["", true];
      const key = composeName(pattern, seed);
      if (key === null || properties.has(key)) continue;
      properties.set(key, part);
      added.push(key);
    }
    if (added.length === 0) return copy;
    const demanded = [...(Array.isArray(required) ? required : []), ...added];
    const { minProperties: _, patternProperties: __, ...rest } = copy;
    return { ...rest, properties: Object.fromEntries(properties), required: demanded };
  }
  return nameObject(schema);
}

/** A text that a pattern fits, another one for another seed where it leaves a choice; null where none is found. */
function composeName(pattern: string, seed: number): string | null {
  try {
    const fits = new RegExp(pattern, "u");
    const found = String(generateSync({ type: "string", pattern }, { seed }));
    return [`${found}${seed + 1}`, found].find((name) => fits.test(name)) ?? null;
  } catch {
    return null;
  }
}

/** Lists may be empty where the schema has no least length. An answer shows more with an entry or two. */
function fillLists(schema: JsonObject): JsonObject {
  /** What has a reference in it. Filling a list of the schema itself would never end. */
  const referring = new WeakSet<object>();
  const refers = (value: unknown) =>
    value === "$ref" || (typeof value === "object" && value !== null && referring.has(value));

  function fill(value: unknown): unknown {
    if (Array.isArray(value)) {
      const items = value.map(fill);
      if (items.some(refers)) referring.add(items);
      return items;
    }
    return typeof value === "object" && value !== null ? fillObject(value) : value;
  }
  function fillObject(object: object): JsonObject {
    const entries = Object.entries(object).map(([key, value]) => [key, fill(value)] as const);
    const copy: JsonObject = Object.fromEntries(entries);
    const isOpenList = copy.type === "array" && copy.minItems === undefined && copy.maxItems === undefined;
    const filled = isOpenList && !refers(copy.items) ? { ...copy, minItems: 1, maxItems: 3 } : copy;
    if (entries.some(([key, value]) => key === "$ref" || refers(value))) referring.add(filled);
    return filled;
  }
  return fillObject(schema);
}

/** What makes a string more than any text: it is left as it was made. */
const stringRules = ["pattern", "format", "enum", "const", "contentEncoding", "allOf", "not", "template"];
const numberRules = ["enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/**
 * A value that people like to read in place of a random one, where the schema leaves the choice: text that names its
 * field, as `Mock final answer`, and numbers with two decimals at most.
 */
function toReadable(value: unknown, schema: JsonSchema, path: string): unknown {
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

function format(count: number): string {
  return count.toLocaleString("en");
}
