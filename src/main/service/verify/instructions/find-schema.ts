import { Ajv2020 } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";
import { findJson } from "./find-json.ts";

/** Tells what does not fit a schema, as the end of a sentence; null when all fits. */
type SchemaCheck = (value: unknown) => string | null;

const longestSchema = 20_000;
/** Prompts whose schema is remembered: the lines of a batch have the same one. */
const mostRemembered = 50;
const remembered = new Map<string, SchemaCheck | null>();

/** The check for the JSON schema that a prompt holds after the word "schema"; null when it holds none that can be used. */
export function findSchema(prompt: string): SchemaCheck | null {
  const at = prompt.search(/\bschema\b/i);
  if (at === -1) return null;
  const text = prompt.slice(at, at + longestSchema);
  const json = findJson(text);
  if (json === null || !isSchema(json.value)) return null;
  const key = text.slice(json.range.start, json.range.end);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= mostRemembered) remembered.clear();
  const check = compile(json.value);
  remembered.set(key, check);
  return check;
}

function isSchema(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return "$schema" in value || ("type" in value && ["object", "array"].includes(String(value.type)));
}

function compile(schema: object): SchemaCheck | null {
  // A pattern of a schema is the prompt's: RE2 looks for it, so that none can take for ever.
  const regExp = Object.assign(createPattern, { code: "createPattern" });
  const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false, code: { regExp } });
  try {
    const validate = ajv.compile(withoutDialect(schema));
    return (value) => {
      if (fits(validate, value)) return null;
      const [error] = validate.errors ?? [];
      return `${error?.instancePath || "the whole"} ${error?.message ?? "is wrong"}`;
    };
  } catch {
    return null;
  }
}

/** What nests too deep for the stack counts as fitting: nothing wrong was found in it. */
function fits(validate: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch {
    return true;
  }
}

function createPattern(source: string) {
  const pattern = RE2JS.compile(source);
  return { test: (text: string) => pattern.test(text), toString: () => source };
}

/** The newer dialects differ in nothing that matters here, and a compiler for one of them refuses the others by name. */
function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$id"));
}
