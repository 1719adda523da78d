import type { ProblemCode } from "#contract";
import { countTokensUpTo } from "../../tokens/index.ts";
import { describeFound, formatCount, quote } from "./describe.ts";
import type { CheckRules, ModelRule, ParameterRule } from "./rules.ts";

export type Report = (code: ProblemCode, param: string | null, message: string) => void;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Most models that a message lists. */
const listedModels = 12;
const maxStopSequences = 4;
/** A UTF-16 code unit is three bytes of UTF-8 at most. */
const bytesPerUnit = 3;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The check of a request's body. It finds what `chatRequestSchema` finds (a property test holds them to that), and what
 * only the service knows: models and limits. Written by hand because it runs for every line of every file: it is some
 * ten times as fast, and its messages name what was found. Answers with the model's id when the service has it.
 */
export function createBodyCheck(rules: CheckRules): (body: JsonObject, report: Report) => string | null {
  const roles = new Set<unknown>(rules.roles);
  const models = new Map(rules.models.flatMap((model) => model.names.map((name) => [name, model] as const)));

  function checkModel(name: unknown, report: Report): ModelRule | null {
    if (typeof name !== "string") {
      report("invalid_request", "body.model", expected("model", name, "the name of a model"));
      return null;
    }
    const model = models.get(name);
    if (model !== undefined) return model;
    report("model_not_found", "body.model", `model ${quote(name)} is not known. ${listModels(rules.models)}`);
    return null;
  }

  function checkMessage(message: unknown, param: string, report: Report): void {
    if (!isJsonObject(message)) {
      report("invalid_request", param, expected("The message", message, "an object with role and content"));
      return;
    }
    if (!roles.has(message.role)) {
      const allowed = [...roles].join(", ");
      report("invalid_request", `${param}.role`, expected("role", message.role, `one of ${allowed}`));
    }
    checkContent(message, `${param}.content`, report);
  }

  /** Reports what is wrong with the messages; answers with an upper bound of their bytes. */
  function checkMessages(messages: unknown, report: Report): void {
    if (!Array.isArray(messages) || messages.length === 0) {
      report("invalid_request", "body.messages", expected("messages", messages, "an array of at least one message"));
      return;
    }
    messages.forEach((message, index) => {
      checkMessage(message, `body.messages[${index}]`, report);
    });
  }

  function checkLimits(body: JsonObject, model: ModelRule, report: Report): void {
    const { context, output } = model.limits;
    for (const name of ["max_completion_tokens", "max_tokens"]) {
      const asked = body[name];
      if (typeof asked !== "number" || asked <= output) continue;
      const message = `${name} is ${formatCount(asked)}; ${model.id} answers with ${formatCount(output)} tokens at most.`;
      report("max_output_exceeded", `body.${name}`, message);
    }
    if (isOverTokens(body.messages, context)) {
      const message = `The prompt has more tokens than the ${formatCount(context)} that ${model.id} takes.`;
      report("context_length_exceeded", "body.messages", message);
    }
  }

  return (body, report) => {
    const model = checkModel(body.model, report);
    checkMessages(body.messages, report);
    for (const rule of rules.parameters) {
      const value = body[rule.name];
      if (value !== undefined && value !== null && !isWithin(value, rule)) {
        report("invalid_request", `body.${rule.name}`, expected(rule.name, value, describeRange(rule)));
      }
    }
    checkStop(body.stop, report);
    checkStream(body.stream, report);
    if (model !== null) checkLimits(body, model, report);
    return model?.id ?? null;
  };
}

function expected(what: string, found: unknown, expectation: string): string {
  return `${what} is ${describeFound(found)}; expected ${expectation}.`;
}

function listModels(models: readonly ModelRule[]): string {
  const ids = models.slice(0, listedModels).map((model) => model.id);
  const more = models.length > ids.length ? " and more" : "";
  return `Models: ${ids.join(", ")}${more}.`;
}

/** An assistant's message may lack content: it then holds calls of tools. */
function checkContent({ role, content }: JsonObject, param: string, report: Report): void {
  if (typeof content === "string") return;
  if ((content === undefined || content === null) && role === "assistant") return;
  if (!Array.isArray(content) || content.length === 0) {
    report("invalid_request", param, expected("content", content, "text, or an array of parts of type text"));
    return;
  }
  content.forEach((part: unknown, index) => {
    const at = `${param}[${index}]`;
    if (!isJsonObject(part)) {
      report("invalid_request", at, expected("The part", part, 'an object such as {"type":"text","text":"…"}'));
      return;
    }
    if (part.type !== "text") {
      report("invalid_request", `${at}.type`, expected("The part's type", part.type, '"text"'));
    } else if (typeof part.text !== "string") {
      report("invalid_request", `${at}.text`, expected("The part's text", part.text, "text"));
    }
  });
}

function isWithin(value: unknown, { integer, minimum, maximum }: ParameterRule): boolean {
  if (typeof value !== "number" || !(value >= minimum && value <= maximum)) return false;
  return !integer || Number.isInteger(value);
}

function describeRange({ integer, minimum, maximum }: ParameterRule): string {
  const kind = integer ? "a whole number" : "a number";
  if (maximum < Number.MAX_SAFE_INTEGER) return `${kind} from ${minimum} to ${maximum}`;
  return minimum > Number.MIN_SAFE_INTEGER ? `${kind} of at least ${minimum}` : kind;
}

function checkStop(stop: unknown, report: Report): void {
  if (stop === undefined || stop === null || typeof stop === "string") return;
  if (!Array.isArray(stop)) {
    report("invalid_request", "body.stop", expected("stop", stop, `text, or an array of at most ${maxStopSequences}`));
    return;
  }
  if (stop.length > maxStopSequences) {
    const message = `stop has ${stop.length} sequences; at most ${maxStopSequences} are taken.`;
    report("invalid_request", "body.stop", message);
  }
  stop.forEach((sequence: unknown, index) => {
    if (typeof sequence !== "string") {
      report("invalid_request", `body.stop[${index}]`, expected("The sequence", sequence, "text"));
    }
  });
}

function checkStream(stream: unknown, report: Report): void {
  if (stream === true) {
    report(
      "streaming_unsupported",
      "body.stream",
      "stream is true; answers of a batch can't be streamed. Leave it out.",
    );
  } else if (stream !== undefined && stream !== null && stream !== false) {
    report("invalid_request", "body.stream", expected("stream", stream, "false, or leave it out"));
  }
}

/**
 * Whether the prompt alone has more tokens than the context. A prompt can't have more tokens than bytes of UTF-8, so
 * that most need no counting. What `max_completion_tokens` asks for is not added: it is an upper bound, and an answer
 * ends where the context does.
 */
function isOverTokens(messages: unknown, limit: number): boolean {
  if (!Array.isArray(messages)) return false;
  const texts = messages.flatMap((message: unknown) => (isJsonObject(message) ? textsOf(message.content) : []));
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units * bytesPerUnit <= limit) return false;
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit) return false;
  let left = limit;
  for (const text of texts) {
    left -= countTokensUpTo(text, left);
    if (left < 0) return true;
  }
  return false;
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []));
}
