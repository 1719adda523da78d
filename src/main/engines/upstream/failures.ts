import type { ErrorBody } from "#contract";
import { type FoundError, isOverLimit, parseBody, readServiceError, readTokens } from "#main/answers";
import type { EngineError, JsonObject } from "#main/base";
import { asObject, hideSecret, ProxyError } from "#main/base";
import { parseJson } from "#main/storage";
import { createEngineError } from "../engine-error.ts";
import { readNetworkFailure } from "./network-failures.ts";
import { passingStatuses, readWait } from "./read-wait.ts";
import type { Failure } from "./retry.ts";

import { AnswerTooLargeError, UnusableKeyError, type UpstreamHeaders } from "./transport.ts";

/** The code of an answer that is longer than any may be. It fails its request: another attempt would be as long. */
const answerTooLarge = "upstream_answer_too_large";

/** A request that got no whole answer, described without addresses beyond the server's own. */
export function describeFailure(error: unknown, { origin }: URL, timeout: number): Failure {
  if (error instanceof AnswerTooLargeError) {
    const tooLarge = createEngineError({ status: 502, message: error.message, code: answerTooLarge });
    return { error: { ...tooLarge, isSettled: true }, retryable: false, retryAfter: null };
  }
  const { kind, reason, isUnsent } = readNetworkFailure(error);
  if (kind === "timed_out" && isUnsent !== true) {
    const message = `The upstream ${origin} did not answer within ${timeout / 1_000} s.`;
    const timedOut = createEngineError({ status: 504, message, code: "upstream_timeout" });
    return { error: { ...timedOut, cause: error }, retryable: true, retryAfter: null };
  }
  const isOfProxy = error instanceof ProxyError;
  const isOfKey = error instanceof UnusableKeyError;
  const why = kind === "certificate" ? `its certificate can't be trusted: ${reason}` : reason;
  const failure = createEngineError({
    status: 502,
    message: `The upstream ${origin} could not be asked: ${isOfProxy || isOfKey ? error.message : why}.`,
    code: kind === "failed" && !isOfProxy ? "upstream_failed" : "upstream_unreachable",
  });
  const isSetting = isOfKey || (isOfProxy && error.isVariable);
  return { error: { ...failure, cause: error }, retryable: !isSetting, retryAfter: null };
}

/** A request that the server could not be asked: it was not sent. */
export function describeUntranslatable(
  problems: readonly { readonly param: string; readonly message: string }[],
): Failure {
  const message = problems.map((problem) => problem.message).join(" ");
  const error = createEngineError({ status: 400, message, param: problems[0]?.param, code: "unsupported_by_service" });
  return { error, retryable: false, retryAfter: null };
}

/** The error of an answer that failed, with all that came of the answer: its text and its usage count. */
export function describeFailedAnswer(
  { status, message, error }: Omit<FoundError, "isOfPath">,
  answer: JsonObject,
): EngineError {
  const { type, param, code } = readServiceError(JSON.stringify({ error })) ?? {};
  const known = createEngineError({ status, message, type: type ?? undefined, param, code });
  return { ...known, body: { ...answer, error: { ...asObject(error), ...known.body.error } } };
}

/**
 * A success in which no answer could be read. The text is kept: it may have been paid, so that it is never asked for again by
 * itself.
 */
export function describeUnreadable(text: string, contentType = ""): EngineError {
  const type = contentType.split(";")[0]?.trim();
  const what = type ? `${type} that is no chat completion` : "something that is no chat completion";
  const message = `The service answered with ${what}. Its text is kept with this line, which can be sent again.`;
  const error = createEngineError({ status: 502, message, code: "upstream_invalid_answer" });
  const { prompt, completion } = readTokens(asObject(parseBody(text)).usage);
  return {
    ...error,
    body: { ...error.body, raw_answer: text },
    unread: { isPaid: prompt !== null || completion !== null },
  };
}

/** How much of a body that is no error of this API is repeated. */
const longestQuote = 2_000;

/** An answer of the upstream that is no success, with its own status and words. */
export function readError(status: number, headers: UpstreamHeaders, body: string, now: number): Failure {
  const retryAfter = readWait(status, headers, body, now);
  const error = describeError(status, headers["content-type"] ?? "", body, retryAfter);
  return { error, retryable: isRetryable(status, headers, error), retryAfter };
}

function describeError(status: number, contentType: string, body: string, retryAfter: number | null): EngineError {
  const seconds = retryAfter === null ? undefined : Math.ceil(retryAfter / 1_000);
  if (status < 400) {
    const message = `The upstream answered with status ${status}, which is no answer to a chat completion. Check its address.`;
    return createEngineError({ status: 502, message, code: "upstream_invalid_answer" });
  }
  const said = readServiceError(body);
  if (said === null)
    return createEngineError({ status, message: quoteBody(status, contentType, body), retryAfter: seconds });
  const { message, type, param, code, more } = said;
  const known = createEngineError({ status, message, type: type ?? undefined, param, code, retryAfter: seconds });
  return { ...known, body: { error: { ...more, ...known.body.error } } };
}

/** A page of a proxy, for example: its text without the tags. */
function quoteBody(status: number, contentType: string, body: string): string {
  const words = body
    .slice(0, 10_000)
    .replaceAll(/<(style|script)[^>]*>[^<]*/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const quoted = words === "" ? "" : `: ${words.slice(0, longestQuote).toWellFormed()}`;
  return `The upstream answered with status ${status}${contentType === "" ? "" : ` and ${contentType.split(";")[0]}`}${quoted}`;
}

function isRetryable(status: number, headers: UpstreamHeaders, { body }: EngineError): boolean {
  // Some servers say it outright; a used-up account stays so.
  const advice = headers["x-should-retry"];
  if (advice === "true" || advice === "false") return advice === "true";
  return mayPass(status, body);
}

/** Whether an error may pass with time: no used-up account, and no request that is larger than its limit. */
export function mayPass(status: number, { error }: ErrorBody): boolean {
  return (
    passingStatuses.has(status) &&
    error.code !== "insufficient_quota" &&
    !isOverLimit({ message: error.message, more: asObject(error) })
  );
}

/** Servers repeat keys that they refuse: an error that goes to a file or a client is without ours. */
export function hideKey(error: EngineError, key: string | null): EngineError {
  const { message, type, param, code, ...more } = error.body.error;
  const told = hideKeyInError({ message, type, param, code }, key);
  const details = asObject(parseJson(hideSecret(JSON.stringify(more), key)));
  return { ...error, body: { ...error.body, error: { ...details, ...told } } };
}

/** The same for the error of an answer or of a line of results. */
export function hideKeyInError(
  { message, type, param, code }: ErrorBody["error"],
  key: string | null,
): ErrorBody["error"] {
  const hide = (text: string | null) => (text === null ? null : hideSecret(text, key));
  return { message: hideSecret(message, key), type: hideSecret(type, key), param: hide(param), code: hide(code) };
}
