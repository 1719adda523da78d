import type { FastifyError } from "fastify";
import type { ErrorBody } from "#contract";
import { ServiceError, type ServiceErrorCode } from "../errors.ts";

/** What the framework finds wrong with a request, in the service's own words. */
const frameworkErrors: Readonly<Record<string, [code: ServiceErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "This endpoint takes a JSON body. Send it with the header 'Content-Type: application/json'.",
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["invalid_json", "The body is empty. This endpoint takes a JSON object."],
  FST_ERR_CTP_INVALID_JSON_BODY: ["invalid_json", "The body is not valid JSON."],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    "body_too_large",
    "The body is larger than this endpoint takes: 1 MB, for a chat completion 10 MB, for an MCP call 16 MB.",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_value", "The body is not as long as its 'content-length' says."],
  FST_ERR_BAD_URL: ["invalid_value", "The path is not a valid URL path: check its percent signs."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "There is nothing at this path: a part of it is longer than any id."],
};

/** An error as the caller may see it; null for a fault of ours. */
export function toServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error.code === "internal_error" ? null : error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkErrors[code];
  if (known !== undefined) return new ServiceError(...known);
  // The JSON parser throws these as they are.
  if (error instanceof SyntaxError && statusCode === 400)
    return new ServiceError("invalid_json", "The body is not valid JSON.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError("invalid_value", "The request could not be read.");
  }
  return null;
}

/** The body of an error that is the caller's to mend. */
export function toErrorBody({ code, message, param }: ServiceError): ErrorBody {
  return {
    error: {
      message,
      type: code === "rate_limit_exceeded" ? "rate_limit_error" : "invalid_request_error",
      param,
      code: code === "missing_api_key" ? null : code,
    },
  };
}

/** The body for a fault of ours: no internals, but the id under which the log has them. */
export function toFaultBody(requestId: string): ErrorBody {
  return {
    error: {
      message: `The server failed to answer this request. Its log has the details under the request id ${requestId}.`,
      type: "server_error",
      param: null,
      code: "internal_error",
    },
  };
}

/** The headers that belong to an error. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  if (error.status === 401) return { "www-authenticate": "Bearer" };
  // Clients of the compatible API take a 409 for a passing conflict and would send the request again.
  if (error.status === 409) return { "x-should-retry": "false" };
  return {};
}
