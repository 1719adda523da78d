import {
  batchEndpoint,
  type ChatRequest,
  chatMessageSchema,
  chatRequestSchema,
  formatNumber,
  isOwnRange,
  listMisuse,
  type ProblemCode,
} from "#contract";
import { dropForeign } from "../endpoints/drop-foreign.ts";
import { findShape, type RequestShape } from "../endpoints/request-shapes.ts";
import { countTokensUpTo } from "../tokens/count-tokens.ts";
import { describeIssues, type IssueKind, quote } from "./describe-issues.ts";
import { type CheckRules, type ModelRule, takeAnyModel } from "./rules.ts";

/** Called with each problem; `kind` tells more of an `invalid_request`. */
export type Report = (code: ProblemCode, param: string | null, message: string, kind?: IssueKind) => void;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Most models that a message lists. */
const listedModels = 12;

/**
 * The check of a request's body, of a line as of a direct call: what the schema of its endpoint finds, what of it can't be
 * answered, and what the service alone knows, which is its models and their limits. Answers with the id of the model when
 * the service has it.
 */
export function createBodyCheck({
  endpoint,
  models,
  others,
  strictness,
  isPassedOn,
}: CheckRules): (body: JsonObject, report: Report) => string | null {
  const shape = findShape(endpoint);
  const isChat = endpoint === batchEndpoint;
  const modelByName = new Map((models ?? []).flatMap((model) => model.names.map((name) => [name, model] as const)));
  const ids = Array.from(modelByName.values(), (model) => model.id);
  const listed = [...shape.models, ...new Set(ids)];
  const modelList = `Models: ${listed.slice(0, listedModels).join(", ")}${listed.length > listedModels ? " and more" : ""}.`;

  /** What is wrong with the shape of a body; where nothing is, what the API would refuse of it. */
  function listIssues(body: JsonObject) {
    const { data, error } = shape.schema.safeParse(body);
    if (error === undefined) return isChat && strictness === "api" ? listMisuse(data as ChatRequest) : [];
    return strictness === "lenient" ? error.issues.filter((issue) => !isOwnRange(issue)) : error.issues;
  }

  /** What is wrong with the form of a body. The texts of its prompts, as far as they can be read. */
  function checkForm(body: JsonObject, report: Report): readonly (readonly string[])[] {
    const issues = isChat && isPlainRequest(body) ? [] : listIssues(body);
    for (const { param, message, kind } of describeIssues(issues, body)) {
      report("invalid_request", `body.${param}`, message, kind);
    }
    if (isChat) return Array.isArray(body.messages) ? [body.messages.flatMap(textsOf)] : [];
    if (issues.length > 0) return [];
    const read = shape.readPrompts(body);
    if ("prompts" in read) return read.prompts;
    for (const { param, message } of read.problems) report("invalid_request", `body.${param}`, message);
    return [];
  }

  if (isPassedOn) return (body) => (typeof body.model === "string" ? body.model : null);
  return (given, report) => {
    const body = strictness === "lenient" ? dropForeign(endpoint, given) : given;
    const prompts = checkForm(body, report);
    if (typeof body.model !== "string") return null;
    if (models === null) {
      if (body.model.trim() === "") report("model_not_found", "body.model", "No model is named.");
      return body.model;
    }
    const { id, limits } = modelByName.get(body.model) ?? { id: body.model, limits: others };
    if (limits === null && !shape.models.includes(id)) {
      report("model_not_found", "body.model", `model ${quote(body.model)} is not known. ${modelList}`);
      return null;
    }
    if (limits !== null) checkLimits(body, { id, limits }, shape, prompts, report);
    return id;
  };
}

/** Whether a body that these rules refuse is accepted with `--lenient`. An unknown model has a flag of its own. */
export function isAcceptedLeniently(rules: CheckRules, body: JsonObject): boolean {
  let isAccepted = true;
  createBodyCheck(takeAnyModel({ ...rules, strictness: "lenient" }))(body, () => {
    isAccepted = false;
  });
  return isAccepted;
}

function checkLimits(
  body: JsonObject,
  { id, limits }: Pick<ModelRule, "id" | "limits">,
  { limitFields, promptField }: RequestShape,
  prompts: readonly (readonly string[])[],
  report: Report,
): void {
  for (const name of limitFields) {
    const asked = body[name];
    if (typeof asked !== "number" || asked <= limits.output) continue;
    const most = `${id} answers with ${formatNumber(limits.output)} tokens at most`;
    report("max_output_exceeded", `body.${name}`, `${name} is ${formatNumber(asked)}; ${most}.`);
  }
  if (prompts.some((texts) => isOverTokens(texts, limits.context))) {
    const message = `The prompt has more than the ${formatNumber(limits.context)} tokens that ${id} takes.`;
    report("context_length_exceeded", `body.${promptField}`, message);
  }
}

const fields = new Map(Object.entries(chatRequestSchema.shape));
/** Those of messages that depend on no other message. */
const roles: ReadonlySet<unknown> = new Set(chatMessageSchema.shape.role.options.filter((role) => role !== "tool"));
/** What is held against other fields, or has values of its own in the API. */
const dependent = new Set(["top_logprobs", "tool_choice", "reasoning_effort", "logit_bias", "metadata"]);

/**
 * Whether a body is one that the schema surely takes, as nearly all are: messages in plain text and simple parameters. The
 * schema takes several times as long to say so. What this says no to may still be right: the schema has the last word.
 */
export function isPlainRequest(body: JsonObject): boolean {
  if (typeof body.model !== "string" || !isPlainMessages(body.messages)) return false;
  for (const name of Object.keys(body)) {
    if (name !== "model" && name !== "messages" && !isPlainParameter(name, body[name])) return false;
  }
  return true;
}

function isPlainMessages(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length > 0 && messages.every(isPlainMessage);
}

function isPlainMessage(message: unknown): boolean {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return false;
  const { role, content, tool_calls: calls }: { role?: unknown; content?: unknown; tool_calls?: unknown } = message;
  return typeof content === "string" && roles.has(role) && calls === undefined;
}

function isPlainParameter(name: string, value: unknown): boolean {
  if (dependent.has(name)) return false;
  const field = fields.get(name);
  return field === undefined || (typeof value !== "object" && field.safeParse(value).success);
}

/** Whether a body has the shape of a chat completion's request, whatever its model. */
export function isChatRequest(body: JsonObject): boolean {
  return isPlainRequest(body) || chatRequestSchema.safeParse(body).success;
}

/** A UTF-16 code unit is three bytes of UTF-8 at most. */
const bytesPerUnit = 3;

/**
 * Whether the text of a prompt alone has more tokens than the context. It can't have more than bytes of UTF-8, so that
 * most need no counting. What `max_completion_tokens` asks for is not added: that is an upper bound, and an answer ends
 * where the context does.
 */
function isOverTokens(texts: readonly string[], limit: number): boolean {
  if (sum(texts, (text) => text.length) * bytesPerUnit <= limit) return false;
  if (sum(texts, (text) => Buffer.byteLength(text)) <= limit) return false;
  let left = limit;
  for (const text of texts) {
    left -= countTokensUpTo(text, left);
    if (left < 0) return true;
  }
  return false;
}

/** The text of a message; none of what is no message, which is another problem. */
function textsOf(message: unknown): string[] {
  const content = fieldOf(message, "content");
  if (typeof content === "string") return [content];
  const parts = Array.isArray(content) ? content.map((part) => fieldOf(part, "text")) : [];
  return parts.filter((text) => typeof text === "string");
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function sum(texts: readonly string[], measure: (text: string) => number): number {
  return texts.reduce((total, text) => total + measure(text), 0);
}
