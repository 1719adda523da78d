import { randomUUID } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";
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
    const { status, text } = await send(method, url + path, apiKey, body);
    const answer = JSON.parse(text);
    if (status >= 400) throw new Error(answer.error?.message ?? `${method} ${path} was answered with ${status}.`);
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

/** Not by `fetch`: test suites replace it, and that of a page's environment keeps to the rules of pages (CORS). */
async function send(
  method: string,
  url: string,
  apiKey: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(bytes && { "content-type": "application/json", "content-length": bytes.length }),
  };
  const sent = request(url, { method, headers, agent: false });
  sent.end(bytes);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

/** A name that no other test has. */
export function createScopeName(): string {
  return `test-${randomUUID()}`;
}
