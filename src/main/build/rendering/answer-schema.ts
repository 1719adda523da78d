import { loadSchemaCompiler } from "#main/requests";
import { parseJson } from "#main/storage";

// This module is loaded when a schema is first looked at.
const { createSchemaCompiler, withoutDialect } = await loadSchemaCompiler();

/** The most problems that are reported. */
const mostProblems = 20;
/** The most characters of the schema that a problem repeats. */
const longestQuote = 60;

const options = { allErrors: true };
const metaSchema = createSchemaCompiler(options);

/** A value that a JSON schema can't have there, such as `properties.score.type can't be "nummber".` */
export function listSchemaProblems(schema: object): string[] {
  if (metaSchema.validateSchema(withoutDialect(schema)) === true) return [];
  const places = new Set(metaSchema.errors?.map(({ instancePath }) => instancePath));
  return [...places].slice(0, mostProblems).map((place) => {
    const keys = place.split("/").slice(1);
    const text = JSON.stringify(keys.reduce<unknown>((part, key) => Reflect.get(Object(part), toKey(key)), schema));
    return `${keys.map(toKey).join(".") || "The schema"} can't be ${text.slice(0, longestQuote)}.`;
  });
}

/** A part of a JSON pointer as it is written in the schema. */
const toKey = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** Tries a JSON schema on an answer: the problems of either, one sentence each; none when the answer fits. */
export function trySchema(schemaText: string, answerText: string): string[] {
  const schema = parseJson(schemaText);
  if (typeof schema !== "object" || schema === null) return ["The schema is not a JSON object."];
  const unsound = listSchemaProblems(schema);
  if (unsound.length > 0) return unsound.map((problem) => `In the schema, ${problem}`);
  const ajv = createSchemaCompiler(options);
  try {
    const validate = ajv.compile(withoutDialect(schema));
    const answer = parseJson(answerText);
    if (answer === undefined) return ["The answer is not JSON."];
    if (validate(answer)) return [];
    const problems = (validate.errors ?? []).map(({ instancePath, message = "does not fit" }) => {
      const place = instancePath === "" ? "The answer" : instancePath.slice(1).replaceAll("/", ".");
      return `${place} ${message}.`;
    });
    return [...new Set(problems)].slice(0, mostProblems);
  } catch (error) {
    return [`The schema can't be used: ${error instanceof Error ? error.message : String(error)}.`];
  }
}
