import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import type { Problem } from "#contract";
import { ServiceError, type ServiceErrorCode } from "../errors.ts";
import type { createBodyCheck, IssueKind, JsonObject } from "../files/index.ts";

/**
 * Checks a direct call as the lines of a batch are checked, and says the first thing that is wrong. What the check reads
 * is what the engine gets: nothing is parsed twice.
 */
export function compileChatValidator(checkBody: ReturnType<typeof createBodyCheck>): FastifySchemaCompiler<z.ZodType> {
  return () => (body: unknown) => {
    if (!isJsonObject(body)) {
      return { error: new ServiceError("invalid_type", "Invalid type for the body: expected an object.") };
    }
    let error: ServiceError | null = null;
    checkBody(body, (code, param, message, kind) => {
      error ??= new ServiceError(toErrorCode(code, kind), message, param?.replace("body.", "") ?? null);
    });
    return error === null ? { value: body } : { error };
  };
}

const codeByKind: Readonly<Record<IssueKind, ServiceErrorCode>> = {
  missing: "missing_required_parameter",
  wrong_type: "invalid_type",
  wrong_value: "invalid_value",
};

function toErrorCode(code: Problem["code"], kind: IssueKind = "wrong_value"): ServiceErrorCode {
  switch (code) {
    case "model_not_found":
    case "context_length_exceeded":
    case "max_output_exceeded":
      return code;
    default:
      return codeByKind[kind];
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
