import { asObject, asText, isObject, listObjects } from "#main/base";
import { readErrorValue } from "./service-error.ts";

/** An error that came with success, or in a stream: what the service has of it. */
export interface FoundError {
  readonly status: number;
  readonly message: string;
  readonly error: unknown;
  /** Whether the server has no such path: nothing was answered, and nothing was paid. */
  readonly isOfPath: boolean;
}

/** An error in the place of an answer or next to one, of the whole of it or of one choice, as some services send it; null for an answer. */
export function findError(value: unknown): FoundError | null {
  // Some gateways put it in a list.
  const { error: ofAll, choices } = asObject(Array.isArray(value) && value.length === 1 ? value[0] : value);
  const failed = listObjects(choices).find(
    (choice) => asText(choice.finish_reason)?.toLowerCase() === "error" || isError(choice.error),
  );
  const error = isError(ofAll) ? ofAll : failed && (isError(failed.error) ? failed.error : brokenOff);
  if (error === undefined) return null;
  const code = typeof error === "string" ? Number.NaN : Number(asObject(error).code ?? asObject(error).status);
  const body = JSON.stringify({ error });
  const message = readErrorValue({ error })?.message ?? body.slice(0, longestQuote);
  const isOfPath = unknownPath.test(message);
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : isOfPath ? 404 : 502;
  return { status, message, error, isOfPath };
}

/** LM Studio answers so with status 200 where it has no such path (lmstudio-bug-tracker, issue 618). */
const unknownPath = /^Unexpected endpoint or method\b/;

/** How much of an error without a message is repeated. */
const longestQuote = 2_000;

const brokenOff = "It broke off in the middle of the answer.";

/** A text or an object that says something; some services send an empty one with each answer. */
function isError(error: unknown): boolean {
  if (typeof error === "string") return error !== "";
  return isObject(error) && Object.values(error).some((part) => part !== null && part !== "");
}
