import { createEngineError } from "../engine-error.ts";
import type { Failure } from "./retry.ts";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name can't be looked up now",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no network",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate can't be verified",
};

const timeoutCodes: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** A request that got no whole answer, told without addresses beyond the server's own. */
export function describeFailure(error: unknown, { origin }: URL, timeout: number): Failure {
  const code = readCode(error);
  const timedOut = timeoutCodes.has(code) || (error instanceof Error && error.name === "TimeoutError");
  const told = timedOut
    ? createEngineError({
        status: 504,
        message: `The upstream ${origin} did not answer within ${timeout / 1_000} s.`,
        code: "upstream_timeout",
      })
    : createEngineError({
        status: 502,
        message: `The upstream ${origin} could not be asked: ${reasons[code] ?? (code || "the connection broke")}.`,
        code: "upstream_unreachable",
      });
  return { error: told, retryable: true, retryAfter: null };
}

/** A whole answer that makes no sense. */
export function describeNonsense(message: string): Failure {
  const error = createEngineError({ status: 502, message, code: "upstream_invalid_answer" });
  return { error, retryable: true, retryAfter: null };
}

function readCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return readCode(error.cause);
}
