import { randomUUID } from "node:crypto";
import type { SheafScope } from "./types.ts";
import type { FaultSettings, LoggedRequest } from "./wire-types.ts";

const mostRequests = 1_000;

/**
 * A scope of a server that listens, steered over HTTP. The server is of this package, so that its answers need no check;
 * jest would load what checks them again for each of its files.
 */
export function openScope(server: { readonly url: string; readonly apiKey: string }, name?: string): SheafScope {
  const { apiKey } = server;
  const url = name === undefined ? server.url : `${server.url}/scope/${name}`;

  async function call(method: string, path: string, body?: unknown) {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok)
      throw new Error(answer.error?.message ?? `${method} ${path} was answered with ${response.status}.`);
    return answer;
  }

  return {
    url,
    baseURL: `${url}/v1`,
    apiKey,
    rules: {
      set: (rules) => call("PUT", "/sheaf/rules", rules),
      clear: () => call("DELETE", "/sheaf/rules"),
    },
    faults: {
      read: (): Promise<FaultSettings> => call("GET", "/sheaf/faults"),
      set: (faults) => call("PUT", "/sheaf/faults", faults),
      clear: () => call("DELETE", "/sheaf/faults"),
    },
    clock: {
      now: async () => (await call("GET", "/sheaf/clock")).unix_ms,
      advance: (duration) => call("POST", "/sheaf/clock", { advance: duration }),
    },
    async requests(query = {}): Promise<LoggedRequest[]> {
      const wanted = Object.entries(query).map(([key, value]) => [key, String(value)]);
      return (await call("GET", `/sheaf/requests?${new URLSearchParams([...wanted, ["limit", String(mostRequests)]])}`))
        .data;
    },
    reset: () => call("POST", "/sheaf/reset"),
  };
}

/** A name that no other test has. */
export function createScopeName(): string {
  return `test-${randomUUID()}`;
}
