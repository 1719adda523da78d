import { chatRequestSchema, type ProblemCode } from "#contract";
import { formatCount } from "../format.ts";
import { quote } from "./describe.ts";
import { describeIssues, type IssueKind } from "./describe-issues.ts";
import { isPlainRequest } from "./plain-request.ts";
import { isOverTokens } from "./prompt-limit.ts";
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
  const modelByName = new Map(models.flatMap((model) => model.names.map((name) => [name, model] as const)));
  const ids = models.slice(0, listedModels).map((model) => model.id);
  const modelList = `Models: ${ids.join(", ")}${models.length > ids.length ? " and more" : ""}.`;

  return (body, report) => {
    const issues = isPlainRequest(body) ? undefined : chatRequestSchema.safeParse(body).error?.issues;
    if (issues !== undefined) {
      for (const { param, message, kind } of describeIssues(issues, body)) {
        report("invalid_request", `body.${param}`, message, kind);
      }
    }
    if (typeof body.model !== "string") return null;
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
    const most = `${id} answers with ${formatCount(limits.output)} tokens at most`;
    report("max_output_exceeded", `body.${name}`, `${name} is ${formatCount(asked)}; ${most}.`);
  }
  if (isOverTokens(body.messages, limits.context)) {
    const message = `The prompt has more than the ${formatCount(limits.context)} tokens that ${id} takes.`;
    report("context_length_exceeded", "body.messages", message);
  }
}
