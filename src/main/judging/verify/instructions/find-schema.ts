import { findJson } from "#main/answers";
import { loadSchemaCompiler } from "#main/requests";

// This module is loaded when a schema is first looked at.
const { createSchemaCompiler, withoutDialect } = await loadSchemaCompiler();

/** Says what does not fit a schema, as the end of a sentence; null when all fits. */
type SchemaCheck = (value: unknown) => string | null;

const longestSchema = 20_000;
/** Prompts whose schema is cached: the lines of a batch have the same one. */
const mostCached = 50;
const checks = new Map<string, SchemaCheck | null>();

/** The check for the JSON schema that is in a prompt after the word "schema"; null when there is none that can be used. */
export function findSchema(prompt: string): SchemaCheck | null {
  const at = prompt.search(/\bschema\b/i);
  if (at === -1) return null;
  const text = prompt.slice(at, at + longestSchema);
  const json = findJson(text);
  if (json === null || !isSchema(json.value)) return null;
  const key = text.slice(json.range.start, json.range.end);
  const known = checks.get(key);
  if (known !== undefined) return known;
  if (checks.size >= mostCached) checks.clear();
  const check = compileSchema(json.value);
  checks.set(key, check);
  return check;
}

function isSchema(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return "$schema" in value || ("type" in value && ["object", "array"].includes(String(value.type)));
}

function compileSchema(schema: object): SchemaCheck | null {
  const ajv = createSchemaCompiler({ validateFormats: false });
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
