import type { EngineError } from "../../ports.ts";

/** The answer of a request that fails because it was told to. Its message says so; the rest is as a real one has it. */
export function toFaultReply(statusCode: number, message: string, retryAfter?: number): EngineError {
  const limited = statusCode === 429;
  const type = limited ? "rate_limit_error" : statusCode < 500 ? "invalid_request_error" : "server_error";
  const code = limited ? "rate_limit_exceeded" : "injected_fault";
  return {
    statusCode,
    body: { error: { message, type, param: null, code } },
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } }),
  };
}
