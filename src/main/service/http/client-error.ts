import type { FastifyServerOptions } from "fastify";
import { ServiceError } from "../errors.ts";
import { toErrorBody } from "./errors.ts";

const statusByCode: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are larger than 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const anyOther = ["400 Bad Request", "The request is not valid HTTP."] as const;

/** Answers what never became a request, with an error body and an id like any other answer. */
export function createClientErrorHandler(
  createRequestId: () => string,
): NonNullable<FastifyServerOptions["clientErrorHandler"]> {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = statusByCode[error.code] ?? anyOther;
    const body = JSON.stringify(toErrorBody(new ServiceError("invalid_value", message)));
    socket.end(
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
