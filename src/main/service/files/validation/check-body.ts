import { chatMessageSchema, chatRequestSchema, formatNumber, type ProblemCode } from "#contract";
import { countTokensUpTo } from "../../tokens/index.ts";
import { describeIssues, type IssueKind, quote } from "./describe-issues.ts";
import type { CheckRules, ModelRule } from "./rules.ts";

/** Called with each problem; `kind` tells more of an `invalid_request`. */
export type Report = (code: ProblemCode, param: string | null, message: string, kind?: IssueKind) => void;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Most models that a message lists. */
const listedModels = 12;

/**
 * The check of a request's body, of a line as of a direct call: what the contract's schema finds, and what the service alone knows, which is its
 * models and their limits. Answers with the id of the model when the service has it.
 */
export function createBodyCheck({ models }: CheckRules): (body: JsonObject, report: Report) => string | null {
  const modelByName = new Map((models ?? []).flatMap((model) => model.names.map((name) => [name, model] as const)));
  const ids = Array.from(modelByName.values(), (model) => model.id);
  const listed = [...new Set(ids)];
  const modelList = `Models: ${listed.slice(0, listedModels).join(", ")}${listed.length > listedModels ? " and more" : ""}.`;

  return (body, report) => {
    const issues = isPlainRequest(body) ? undefined : chatRequestSchema.safeParse(body).error?.issues;
    if (issues !== undefined) {
      for (const { param, message, kind } of describeIssues(issues, body)) {
        report("invalid_request", `body.${param}`, message, kind);
      }
    }
    if (typeof body.model !== "string") return null;
    if (models === null) {
      if (body.model.trim() === "") report("model_not_found", "body.model", "No model is named.");
      return body.model;
    }
    const model = modelByName.get(body.model);
    if (model === undefined) {
      report("model_not_found", "body.model", `model ${quote(body.model)} is not known. ${modelList}`);
      return null;
    }
    checkLimits(body, model, report);
    return model.id;
  };
}

function checkLimits(body: JsonObject, { id, limits }: ModelRule, report: Report): void {
  for (const name of ["max_completion_tokens", "max_tokens"]) {
    const asked = body[name];
    if (typeof asked !== "number" || asked <= limits.output) continue;
    const most = `${id} answers with ${formatNumber(limits.output)} tokens at most`;
    report("max_output_exceeded", `body.${name}`, `${name} is ${formatNumber(asked)}; ${most}.`);
  }
  if (isOverTokens(body.messages, limits.context)) {
    const message = `The prompt has more than the ${formatNumber(limits.context)} tokens that ${id} takes.`;
    report("context_length_exceeded", "body.messages", message);
  }
}

const fields = new Map(Object.entries(chatRequestSchema.shape));
const roles: ReadonlySet<unknown> = new Set(chatMessageSchema.shape.role.options);
/** What the schema holds against other fields. */
const dependent = new Set(["top_logprobs", "tool_choice"]);

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
  const { role, content }: { role?: unknown; content?: unknown } = message;
  return typeof content === "string" && roles.has(role);
}

function isPlainParameter(name: string, value: unknown): boolean {
  const field = fields.get(name);
  if (field === undefined) return true;
  return typeof value !== "object" && !dependent.has(name) && field.safeParse(value).success;
}

/** A UTF-16 code unit is three bytes of UTF-8 at most. */
const bytesPerUnit = 3;

/**
 * Whether the text of a prompt alone has more tokens than the context. It can't have more than bytes of UTF-8, so that
 * most need no counting. What `max_completion_tokens` asks for is not added: that is an upper bound, and an answer ends
 * where the context does.
 */
function isOverTokens(messages: unknown, limit: number): boolean {
  const texts = Array.isArray(messages) ? messages.flatMap(textsOf) : [];
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
