import { parseJson } from "#service";
import type { RemoteResult, UnreadableResult } from "./batch-adapter.ts";
import { ConnectionError } from "./connection-error.ts";

/**
 * The results in a file of a service, and its lines that are none; null is a line that is too long. A file in which nothing is
 * a result is not the service's: a page of a proxy, say. It throws then, so that the file is fetched again.
 */
export async function* readResults(
  lines: AsyncIterable<string | null>,
  read: (value: unknown) => RemoteResult | null,
  service: string,
): AsyncGenerator<RemoteResult | UnreadableResult, void> {
  let isOurs: boolean | null = null;
  let beginning = "";
  for await (const line of lines) {
    if (line?.trim() === "") continue;
    const result = line === null ? null : read(parseJson(line.replace(/^\uFEFF/, "")));
    isOurs = isOurs === true || result !== null || line === null;
    beginning ||= line?.slice(0, 4_000) ?? "";
    yield result ?? { unreadable: line === null ? "too_long" : "no_result" };
  }
  if (isOurs === false) throw new ConnectionError("results_unreadable", service, { details: beginning });
}
