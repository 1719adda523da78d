import type { EndpointCall, EngineError } from "#main/base";

interface EngineErrorFields {
  readonly status: number;
  readonly message: string;
  /** What fits the status unless given. */
  readonly type?: string | undefined;
  readonly code?: string | null | undefined;
  readonly param?: string | null | undefined;
  /** In seconds. */
  readonly retryAfter?: number | undefined;
}

/** An error as engines answer it, in the shape that every HTTP error has. */
export function createEngineError({ status, message, type, code, param, retryAfter }: EngineErrorFields): EngineError {
  return {
    statusCode: status,
    body: { error: { message, type: type ?? typeOf(status), param: param ?? null, code: code ?? null } },
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } }),
  };
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** The answer to a request to an endpoint that an engine does not have. */
export function noEndpoint({ endpoint }: Pick<EndpointCall, "endpoint">): EngineError {
  const message = `What answers on this server has no ${endpoint}.`;
  return createEngineError({ status: 404, message, code: "not_found" });
}
