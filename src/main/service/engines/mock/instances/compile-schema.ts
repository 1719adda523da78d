import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { SchemaError } from "./schema-error.ts";

export type JsonObject = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** Lines of a batch share their schema: the last ones used stay compiled. */
const mostKept = 50;
const kept = new Map<string, Check>();

/**
 * The check of values against a JSON schema (drafts 6 to 2020-12).
 * @throws SchemaError that says why it is no schema
 */
export function compileSchema(schema: JsonObject): Check {
  const text = JSON.stringify(schema);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const check = compile(schema);
  const [oldest] = kept.keys();
  if (kept.size === mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(text, check);
  return check;
}

const ajv = new Ajv2020({ strict: false, logger: false });
addFormats.default(ajv);

function compile({ $schema: _, ...schema }: JsonObject): Check {
  try {
    return ajv.compile<unknown>(schema);
  } catch (error) {
    throw new SchemaError(error instanceof Error ? error.message : "it can't be read");
  } finally {
    // Its ids must not meet those of the next one.
    ajv.removeSchema(schema);
  }
}
