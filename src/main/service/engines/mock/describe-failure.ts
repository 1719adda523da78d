import type { ChatRequest } from "#contract";
import type { EngineError } from "../../ports.ts";
import { wantsJson } from "./compose-text.ts";
// By itself: the rest of its folder is loaded only when needed.
import { SchemaError } from "./instances/schema-error.ts";

/** The answer to a request that can't be served for a reason that lies in it; anything else is thrown on. */
export function describeFailure(error: unknown, request: ChatRequest): EngineError {
  if (error instanceof RangeError) return refuse("The request is nested too deeply.", null);
  if (!(error instanceof SchemaError)) throw error;
  const name = request.response_format?.json_schema?.name;
  return wantsJson(request) && name !== undefined
    ? refuse(`Invalid schema for response_format '${name}': ${error.message}.`, "response_format")
    : refuse(`Invalid schema for a function: ${error.message}.`, "tools");
}

function refuse(message: string, param: string | null): EngineError {
  return {
    statusCode: 400,
    body: { error: { message, type: "invalid_request_error", param, code: "invalid_value" } },
  };
}
