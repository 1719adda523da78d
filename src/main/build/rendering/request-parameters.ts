import { chatRequestSchema, type Problem, type RequestTemplate } from "#contract";
import { describeIssues, findUntranslatable, type RequestRules } from "#main/requests";
import { parseJson } from "#main/storage";
import { listSchemaProblems } from "./answer-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** Parameters that have a field of their own in Build, or no place in a batch. */
const ownFields = new Map([
  ["model", "The model has a field of its own."],
  ["messages", "The messages are written above."],
  ["temperature", "The temperature has a field of its own."],
  ["max_completion_tokens", "The most tokens of the answer have a field of their own."],
  ["response_format", "The format of the answer has a field of its own."],
  ["stream", "The answers of a batch can't be streamed."],
]);

/** The parameters that all requests have in common, with their problems, which don't depend on rows. */
export function readParameters(
  template: RequestTemplate,
  connection: RequestRules | null,
): { parameters: Json; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report = (param: string, message: string) =>
    problems.push({ code: "invalid_parameter", message, param, line: null, severity: "error" });
  const { temperature, maxCompletionTokens, answerFormat, further = "" } = template;
  const parameters = {
    ...(temperature === null ? {} : { temperature }),
    ...(maxCompletionTokens === null ? {} : { max_completion_tokens: maxCompletionTokens }),
    ...(answerFormat === undefined ? {} : { response_format: toResponseFormat(answerFormat, report) }),
    ...readFurther(further, report),
  };
  if (problems.length > 0) return { parameters, problems };
  const body = { model: template.model, messages: [{ role: "user", content: "" }], ...parameters };
  const { data: sound, error } = chatRequestSchema.safeParse(body);
  for (const { param, message } of describeIssues(error?.issues ?? [], body)) report(`body.${param}`, message);
  const beyond = sound === undefined || connection === null ? [] : findUntranslatable(connection, sound);
  for (const { param, message } of beyond) report(param, message);
  return { parameters, problems };
}

type Report = (param: string, message: string) => void;

function toResponseFormat(format: NonNullable<RequestTemplate["answerFormat"]>, report: Report): Json {
  if (format.type === "json_object") return { type: "json_object" };
  const { name, strict } = format;
  const schema = readObject(format.schema);
  if (schema === null) report("body.response_format", "The schema of the answer is not a JSON object.");
  for (const problem of listSchemaProblems(schema ?? {})) {
    report("body.response_format", `In the schema of the answer, ${problem}`);
  }
  if (!/^[\w-]{1,64}$/.test(name)) {
    report("body.response_format", "The schema's name has 1 to 64 letters, digits, hyphens or underscores.");
  }
  return { type: "json_schema", json_schema: { name, strict, schema } };
}

function readFurther(text: string, report: Report): Json {
  if (text.trim() === "") return {};
  const further = readObject(text);
  if (further === null) {
    report("body", "The further parameters are not a JSON object.");
    return {};
  }
  for (const name of Object.keys(further)) {
    const reason = ownFields.get(name);
    if (reason !== undefined) report("body", `${name} can't stand among the further parameters. ${reason}`);
  }
  return further;
}

function readObject(text: string): Json | null {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}
