import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import type { ErrorBody } from "#contract";
import { quote, ServiceError, type ServiceErrorCode } from "#main/base";
import type { Service } from "#main/service";
import { describeDiskError, describeKnownError } from "#main/storage";
import { toTemplate } from "./http-app.ts";
import type { LingeringClose } from "./lingering-close.ts";
import { readAskedUrl } from "./scopes.ts";

/** What the framework finds wrong with a request, in the service's own words. */
const frameworkErrors: Readonly<Record<string, [code: ServiceErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "This endpoint takes a JSON body. Send it with the header 'Content-Type: application/json'.",
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    "body_too_large",
    "The body is larger than this endpoint takes: 1 MB, for a chat completion 10 MB, for an MCP call 16 MB, for other vendors' calls 32 MB, for a message batch 256 MB.",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_value", "The body is not as long as its 'content-length' says."],
  Z_DATA_ERROR: [
    "invalid_value",
    "The body is not valid gzip. Compress it again, or send it without a content encoding.",
  ],
  Z_BUF_ERROR: ["invalid_value", "The gzip body is cut off. Send it whole."],
  FST_ERR_BAD_URL: ["invalid_value", "The path is not a valid URL path: check its percent signs."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "There is nothing at this path: a part of it is longer than any id."],
};

/** An error as the caller may see it; null for a fault of ours. */
export function toServiceError(error: unknown): ServiceError | null {
  const cause = describeKnownError(error);
  if (cause !== null || !(error instanceof Error)) return cause;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkErrors[code];
  if (known !== undefined) return new ServiceError(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError("invalid_value", "The request could not be read.");
  }
  return null;
}

/** The body of an error that is the caller's to fix. */
function toErrorBody({ code, message, param }: ServiceError): ErrorBody {
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
function toFaultBody(requestId: string): ErrorBody {
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
function errorHeaders(error: ServiceError, hasChallenge: boolean): Record<string, string> {
  if (describeDiskError(error) !== null) return { "retry-after": "1" };
  if (error.status === 401 && !hasChallenge) return { "www-authenticate": "Bearer" };
  // Clients of the compatible API take a 409 for a passing conflict and would send the request again.
  if (error.status === 409) return { "x-should-retry": "false" };
  return {};
}

/** Answers a request that failed: with what the caller can fix, or, for a fault of ours, with where the log has it. */
export function createErrorSender({ logger, disk }: Pick<Service, "logger" | "disk">) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id);
    request.server.lingering.afterAnswer(reply);
    if (!(error instanceof ServiceError)) disk.report(error);
    const known = toServiceError(error);
    if (known !== null) {
      reply
        .code(known.status)
        .headers(errorHeaders(known, reply.hasHeader("www-authenticate")))
        .send(toErrorBody(known));
      return;
    }
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error("request failed", { requestId: request.id, method: request.method, error: details });
    reply.code(500).send(toFaultBody(request.id));
  };
}

const statusByCode: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are larger than 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const anyOther = ["400 Bad Request", "The request is not valid HTTP."] as const;

/** Answers what never became a request, with an error body and an id like any other answer. */
export function createClientErrorHandler(
  createRequestId: () => string,
  lingering: LingeringClose,
): NonNullable<FastifyServerOptions["clientErrorHandler"]> {
  return (error, socket) => {
    if (lingering.isEnding(socket)) return socket.destroySoon();
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = statusByCode[error.code] ?? anyOther;
    const body = JSON.stringify(toErrorBody(new ServiceError("invalid_value", message)));
    lingering.endWith(
      socket,
      [
        `HTTP/1.1 ${status}`,
        "content-type: application/json; charset=utf-8",
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${createRequestId()}`,
        "connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  };
}

/** Finds out what a path that no route takes would have taken. */
export interface KnownPaths {
  /** Notes every route that is added to the app from now on. */
  collect(app: FastifyInstance): void;
  /** Methods of the route at this path, with any method; empty for an unknown path. */
  methodsAt(path: string): readonly string[];
}

export function createKnownPaths(): KnownPaths {
  const methodsByPattern = new Map<string, string[]>();
  return {
    collect(app) {
      app.addHook("onRoute", ({ url, method }) => {
        methodsByPattern.set(url, [...(methodsByPattern.get(url) ?? []), ...[method].flat()]);
      });
    },
    methodsAt: (path) => {
      const routes = [...methodsByPattern].filter(([pattern]) => toRegExp(pattern).test(path));
      return [...new Set(routes.flatMap(([, methods]) => methods))];
    },
  };
}

/** The path that a wrong one is meant to be, where `/v1` is missing, there twice or after two slashes; null for none. */
export function findMeant(path: string, isKnown: (path: string) => boolean): string | null {
  const rest = path.replace(/^\/+/, "/").replace(/^(\/v1(?=\/))+/, "");
  const found = [`/v1${rest}`, rest].find((one) => one !== path && isKnown(one));
  return found ?? null;
}

/** The error for a request that no route takes: 405 where another method would do, 404 elsewhere. It names the path that was asked for. */
export function describeMiss(
  request: Pick<FastifyRequest, "method" | "originalUrl">,
  methods: readonly string[] = [],
  meant: string | null = null,
): ServiceError {
  const { method } = request;
  const [path = ""] = readAskedUrl(request).split("?");
  if (methods.length === 0) {
    const hint = meant === null ? "" : ` Send it to ${quote(meant)}: check the base address of the client.`;
    return new ServiceError("not_found", `There is nothing at ${method} ${quote(path)}.${hint}`);
  }
  return new ServiceError(
    "method_not_allowed",
    `${method} is not allowed at ${quote(path)}; it takes ${methods.join(", ")}.`,
  );
}

function toRegExp(pattern: string): RegExp {
  return new RegExp(
    `^${toTemplate(pattern)
      .replaceAll(/\{\w+\}/g, "[^/]+")
      .replace("*", ".+")}$`,
  );
}
