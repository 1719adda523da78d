/**
 * The services that are played. `chat` is a server without batches; `groq` and `azure` have OpenAI's shapes below their own
 * addresses.
 */
export type Kind = "openai" | "groq" | "azure" | "together" | "anthropic" | "gemini" | "chat";

/** Whose shapes a service's answers and errors have. */
export type Family = "openai" | "anthropic" | "gemini";

/** The family of a kind of service. */
export function familyOf(kind: Kind): Family {
  return kind === "anthropic" || kind === "gemini" ? kind : "openai";
}

/** One line, as a service receives it in a batch or in a call. */
export interface Line {
  /** Its id in the batch; in a call, the question. */
  readonly id: string;
  /** The text of the last turn, by which the bill knows it. */
  readonly question: string;
  /** The characters of all its turns. */
  readonly size: number;
  readonly model: string;
}

/** The error that a service of the family gives in its own shape. */
export function fail(family: Family, status: number, message: string, details: Record<string, unknown> = {}) {
  if (family === "anthropic") {
    // https://platform.claude.com/docs/en/api/errors
    const types: Readonly<Record<number, string>> = {
      401: "authentication_error",
      402: "billing_error",
      403: "permission_error",
      404: "not_found_error",
      413: "request_too_large",
      429: "rate_limit_error",
    };
    const type = types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
    const error = { type, message, ...details };
    return { status, body: { type: "error", error, request_id: "req_011CSHoEeqs5C35K2UUqR7Fy" } };
  }
  if (family === "gemini") {
    // https://cloud.google.com/apis/design/errors, https://ai.google.dev/gemini-api/docs/troubleshooting
    const names: Readonly<Record<number, string>> = {
      400: "INVALID_ARGUMENT",
      401: "UNAUTHENTICATED",
      403: "PERMISSION_DENIED",
      404: "NOT_FOUND",
      429: "RESOURCE_EXHAUSTED",
      500: "INTERNAL",
      503: "UNAVAILABLE",
      504: "DEADLINE_EXCEEDED",
    };
    return { status, body: { error: { code: status, message, status: names[status] ?? "UNKNOWN", ...details } } };
  }
  // https://platform.openai.com/docs/guides/error-codes; the members are those of `openai`'s `ErrorObject`.
  const ownType = status < 500 ? "invalid_request_error" : "server_error";
  return { status, body: { error: { message, type: ownType, param: null, code: null, ...details } } };
}
