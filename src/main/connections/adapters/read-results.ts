import { parseBody } from "#main/answers";
import { hideSecret } from "#main/base";
import { hideKeyInError } from "#main/engines";
import { isNestedTooDeep } from "#main/storage";
import type { RemoteOutcome, RemoteResult, UnreadableResult } from "./batch-adapter.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ServerAddress } from "./http-client.ts";

/**
 * The results in a file of a service, and its lines that are none; null is a line that is too long. A file in which nothing is
 * a result is not the service's: a page of a proxy, say. It throws then, so that the file is fetched again.
 * Answers and ids stay as they came; errors are without the key.
 */
export async function* readResults(
  lines: AsyncIterable<string | null>,
  read: (value: unknown) => RemoteResult | null,
  { name, key }: Pick<ServerAddress, "name" | "key">,
): AsyncGenerator<RemoteResult | UnreadableResult, void> {
  let isOurs: boolean | null = null;
  let beginning = "";
  for await (const line of lines) {
    if (line?.trim() === "") continue;
    const value = line === null ? null : parseBody(line.replace(/^\uFEFF/, ""));
    // What is nested so deep can't be written again.
    const result = isNestedTooDeep(value) ? null : read(value);
    isOurs = isOurs === true || result !== null || line === null;
    beginning ||= line?.slice(0, 4_000) ?? "";
    yield result === null
      ? { unreadable: line === null ? "too_long" : "no_result" }
      : { ...result, outcome: hideKeyInOutcome(result.outcome, key) };
  }
  if (isOurs === false) {
    throw new ConnectionError("results_unreadable", name, { details: hideSecret(beginning, key) });
  }
}

function hideKeyInOutcome(outcome: RemoteOutcome, key: string | null): RemoteOutcome {
  switch (outcome.state) {
    case "answered":
      return outcome;
    case "failed":
      return { ...outcome, error: hideKeyInError(outcome.error, key) };
    case "never_ran":
      return { ...outcome, message: hideSecret(outcome.message, key) };
  }
}
