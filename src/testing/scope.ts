import { randomUUID } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { performance, setTimeout } from "./node-globals.ts";
import type { RequestQuery, SheafScope } from "./types.ts";
import type { FaultSettings, LoggedRequest, RulesInput } from "./wire-types.ts";

/** Of one answer. */
const mostRequests = 1_000;
/** Milliseconds. Less than the five seconds that vitest and jest give a test. */
const usualWait = 4_000;
const longestRest = 100;

interface Server {
  readonly url: string;
  readonly apiKey: string;
  readonly webhookSecret?: string | null;
}

/**
 * A scope of a server that listens, steered over HTTP. The server is of this package, so that its answers need no check;
 * jest would load what checks them again for each of its files.
 */
export function openScope(server: Server, name?: string): SheafScope {
  const { apiKey, webhookSecret = null } = server;
  const url = name === undefined ? server.url : `${server.url}/scope/${name}`;

  async function call(method: string, path: string, body?: unknown) {
    const { status, text } = await send(method, url + path, apiKey, body);
    const answer = JSON.parse(text);
    if (status >= 400) {
      const message = answer.error?.message ?? `${method} ${path} was answered with ${status}.`;
      throw Object.assign(new Error(message), { status });
    }
    return answer;
  }

  async function search({ where = {}, ...outline }: RequestQuery, limit: number, after?: string) {
    const wanted = { ...outline, ...(typeof where !== "function" && where) };
    const page = await call("POST", "/sheaf/requests/search", { where: wanted, limit, after });
    return typeof where === "function" ? { ...page, found: page.data.filter(where) } : { ...page, found: page.data };
  }

  async function requests(query: RequestQuery = {}): Promise<LoggedRequest[]> {
    const found: LoggedRequest[] = [];
    for (let after: string | undefined; ; ) {
      // Where the last one is no longer kept, those before it aren't either.
      const page = await search(query, mostRequests, after).catch((error) => {
        if (after !== undefined && error.status === 404) return { found: [], has_more: false };
        throw error;
      });
      found.push(...page.found);
      if (!page.has_more) return found;
      after = page.last_id;
    }
  }

  return {
    url,
    baseURL: `${url}/v1`,
    apiKey,
    webhookSecret,
    rules: {
      set: async (rules) => call("PUT", "/sheaf/rules", checkSendable(rules)),
      clear: () => call("DELETE", "/sheaf/rules"),
    },
    faults: {
      read: (): Promise<FaultSettings> => call("GET", "/sheaf/faults"),
      set: (faults) => call("PUT", "/sheaf/faults", faults),
      add: (counts) => call("POST", "/sheaf/faults", { counts }),
      clear: () => call("DELETE", "/sheaf/faults"),
    },
    clock: {
      now: async () => (await call("GET", "/sheaf/clock")).unix_ms,
      advance: (duration) => call("POST", "/sheaf/clock", { advance: duration }),
    },
    requests,
    async waitForRequest(where, { timeout = usualWait } = {}) {
      const deadline = performance.now() + timeout;
      for (let rest = 5; ; rest = Math.min(2 * rest, longestRest)) {
        const isCondition = typeof where !== "function";
        const { found, unread } = isCondition
          ? await search({ where }, 1)
          : { found: await requests({ where }), unread: 0 };
        if (found[0] !== undefined) return found[0];
        if (performance.now() >= deadline) throw new Error(describeTimeout(timeout, await requests(), unread));
        await new Promise((resolve) => setTimeout(resolve, rest));
      }
    },
    reset: () => call("POST", "/sheaf/reset"),
  };
}

function describeTimeout(timeout: number, requests: readonly LoggedRequest[], unread: number): string {
  const newest = requests
    .slice(0, 5)
    .map(({ method, path, status, state }) => `${method} ${path} (${status ?? state})`);
  const others = requests.length > newest.length ? `, and ${requests.length - newest.length} before` : "";
  const seen = newest.length === 0 ? "No request has come." : `The newest requests: ${newest.join(", ")}${others}.`;
  const dropped = unread === 0 ? "" : ` The bodies of ${unread} are no longer kept, so no condition finds them.`;
  return `No such request within ${timeout} ms. ${seen}${dropped}`;
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

function checkSendable(rules: RulesInput): RulesInput {
  if (!rules.rules?.some((rule) => typeof rule === "function")) return rules;
  throw new Error(
    "A rule that is a function can't be sent to another process. Use startSheaf() or the fixture of sheaf/vitest.",
  );
}

/** A name that no other test has. */
export function createScopeName(): string {
  return `test-${randomUUID()}`;
}
