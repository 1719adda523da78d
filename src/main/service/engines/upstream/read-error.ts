import { z } from "zod";
import type { EngineError } from "../../ports.ts";
import { createEngineError } from "../engine-error.ts";
import type { Failure } from "./retry.ts";
import { parseRetryAfter } from "./retry-after.ts";
import type { UpstreamHeaders } from "./transport.ts";

const text = z.string().min(1);
const scalar = z.union([z.string(), z.number()]).nullish().catch(null);
const detailsSchema = z.object({ message: text, type: text.optional().catch(undefined), param: scalar, code: scalar });

/** The forms in which servers of this API tell errors, reduced to one. */
const errorSchema = z.union([
  z.object({ error: detailsSchema }).transform(({ error }) => error),
  detailsSchema,
  z
    .union([z.object({ error: text }), z.object({ detail: text }).transform(({ detail }) => ({ error: detail }))])
    .transform(
      ({ error }): z.infer<typeof detailsSchema> => ({ message: error, type: undefined, param: null, code: null }),
    ),
]);

/** How much of a body that is no error of this API is repeated. */
const longestQuote = 200;

/** Statuses after which another attempt may end better. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** An answer of the upstream that is no success, with its own status and words. */
export function readError(status: number, headers: UpstreamHeaders, body: string, now: number): Failure {
  const header = headers["retry-after"];
  const retryAfter = parseRetryAfter(header, now);
  const error = describeError(status, headers["content-type"] ?? "", body, retryAfter);
  return { error, retryable: isRetryable(status, headers, error), retryAfter };
}

function describeError(status: number, contentType: string, body: string, retryAfter: number | null): EngineError {
  const seconds = retryAfter === null ? undefined : Math.ceil(retryAfter / 1_000);
  if (status < 400) {
    const message = `The upstream answered with status ${status}, which is no answer to a chat completion. Check its address.`;
    return createEngineError({ status: 502, message, code: "upstream_invalid_answer" });
  }
  const told = parseError(body);
  if (told === null)
    return createEngineError({ status, message: quoteBody(status, contentType, body), retryAfter: seconds });
  const { message, type, param, code } = told;
  return createEngineError({ status, message, type, param: toText(param), code: toText(code), retryAfter: seconds });
}

function parseError(body: string): z.infer<typeof errorSchema> | null {
  try {
    return errorSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

/** A page of a proxy, say: its text without the marks. */
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
  const told = headers["x-should-retry"];
  if (told === "true" || told === "false") return told === "true";
  return passing.has(status) && body.error.code !== "insufficient_quota";
}

function toText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
