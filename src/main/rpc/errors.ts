import { ORPCError } from "@orpc/server";
import { ServiceError } from "#service";
import { BuildError, type BuildErrorKind } from "../build/index.ts";
import { ServerError, type ServerErrorKind } from "../server/index.ts";
import type { RpcContext } from "./context.ts";

type Code = "NOT_FOUND" | "CONFLICT" | "REFUSED";

const codeOfKind: Readonly<Record<BuildErrorKind | ServerErrorKind, Code>> = {
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  refused: "REFUSED",
};

function tell(code: Code, message: string, details?: string) {
  const data = details === undefined ? { message } : { message, code: details };
  return new ORPCError(code, { message, data });
}

function codeOfStatus(status: number): Code {
  if (status === 404) return "NOT_FOUND";
  return status === 409 ? "CONFLICT" : "REFUSED";
}

function systemCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : undefined;
}

/**
 * What the page is told of a failure. What the user can mend comes with its own sentence; anything else is logged under
 * a request id, and the page is told that id only.
 */
export function toRpcError(error: unknown, procedure: string, { ids, logger }: Pick<RpcContext, "ids" | "logger">) {
  if (error instanceof ORPCError) return error;
  if (error instanceof BuildError || error instanceof ServerError) return tell(codeOfKind[error.kind], error.message);
  if (error instanceof ServiceError && error.status < 500) {
    return tell(codeOfStatus(error.status), error.message, error.code);
  }
  if (systemCode(error) === "ENOSPC")
    return tell("REFUSED", "The disk is full. Make some room and try again.", "ENOSPC");
  if (error instanceof Error && error.name === "AbortError") return error;
  const requestId = ids.create("request");
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error("rpc failed", { requestId, procedure, error: details });
  return new ORPCError("INTERNAL_SERVER_ERROR", {
    message: `Something went wrong. The log has it under ${requestId}.`,
  });
}
