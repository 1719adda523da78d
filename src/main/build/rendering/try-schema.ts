import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parseJson } from "#service/validation";

/** Most problems that are told. */
const mostProblems = 20;

/** Tries a JSON schema on an answer: what is wrong with either, one sentence each; nothing when the answer fits. */
export function trySchema(schemaText: string, answerText: string): string[] {
  const schema = parseJson(schemaText);
  if (typeof schema !== "object" || schema === null) return ["The schema is not a JSON object."];
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  try {
    const validate = ajv.compile(schema);
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
