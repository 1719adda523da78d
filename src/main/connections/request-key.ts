import { createHash } from "node:crypto";

/** What makes two requests the same for reuse: the same body to the same place has an answer already. */
export interface KeyedRequest {
  /** As it is sent: the model under the service's own name. No parameter is left out. */
  readonly body: unknown;
  readonly endpoint: string;
  /** The connection's address. */
  readonly url: string;
}

/** SHA-256 of a request, hexadecimal. The order of keys does not matter, that of lists does. */
export function hashRequest({ body, endpoint, url }: KeyedRequest): string {
  return createHash("sha256")
    .update(`${url}\n${endpoint}\n${writeSorted(body)}`)
    .digest("hex");
}

function writeSorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
