import { z } from "zod";
import type { Connection, ConnectionCheck, ConnectionReport } from "#contract";
import { findError } from "#main/answers";
import { findIgnoredProxy, hideSecret, type Machine } from "#main/base";

import { anthropicHeaders } from "./adapters/anthropic-api.ts";
import { ConnectionError, describeErrorStatus, isMissing } from "./adapters/connection-error.ts";
import { createHttpClient, type HttpClient, type ServerAddress } from "./adapters/http-client.ts";
import { addressOf } from "./adapters/open-adapter.ts";
import { askOnce } from "./calls/ask-once.ts";
import { findVersionedUrl } from "./connection-settings.ts";

/** How long a check may take, in milliseconds. */
const timeout = 15_000;

interface Route {
  readonly what: "models" | "batches" | "files" | "mcp";
  readonly path: string;
  /** What has to hold: nothing, that it is not refused where it is there, or that it works. */
  readonly need: "none" | "not_refused" | "all";
  readonly works: string;
}

/** What each adapter reads; the first is what address and key are tried with. */
const routes: Readonly<Record<Connection["adapter"], readonly Route[]>> = {
  chat: [
    { what: "models", path: "/models", need: "none", works: "It lists its models." },
    { what: "batches", path: "/batches?limit=1", need: "none", works: "It has batches of its own, too." },
    { what: "mcp", path: "/mcp/status", need: "none", works: "It has an MCP endpoint for verification." },
  ],
  "openai-batch": [
    { what: "models", path: "/models", need: "none", works: "It lists its models." },
    { what: "batches", path: "/batches?limit=1", need: "all", works: "It lists batches." },
    { what: "files", path: "/files?limit=1", need: "not_refused", works: "It lists files." },
    { what: "mcp", path: "/mcp/status", need: "none", works: "It has an MCP endpoint for verification." },
  ],
  "anthropic-batch": [
    { what: "models", path: "/v1/models?limit=1", need: "none", works: "It lists its models." },
    { what: "batches", path: "/v1/messages/batches?limit=1", need: "all", works: "It lists message batches." },
  ],
  "gemini-batch": [
    { what: "models", path: "/v1beta/models?pageSize=1", need: "none", works: "It lists its models." },
    { what: "batches", path: "/v1beta/batches?pageSize=1", need: "all", works: "It lists batches." },
  ],
};

interface TestDeps {
  readonly key: string | null;
  readonly machine: Machine;
  /** Whether one chat is sent, and to which model; null for the first that is listed. Default: nothing is sent. */
  readonly ask?: { readonly model: string | null } | undefined;
}

/**
 * Checks what a connection needs, one by one: a report after each check, and a last one whether everything required works.
 * Nothing is created. Nothing is paid for either, unless the user allows one request.
 */
export async function* testConnection(
  connection: Connection,
  parts: TestDeps,
  signal: AbortSignal,
): AsyncGenerator<ConnectionReport, void> {
  const checks: ConnectionCheck[] = [];
  const needs = new Map<ConnectionCheck["what"], Route["need"]>(
    routes[connection.adapter].map(({ what, need }) => [what, need]),
  );
  const isEnough = ({ what, state }: ConnectionCheck) => {
    const need = needs.get(what) ?? "all";
    return state === "works" || need === "none" || (need === "not_refused" && state === "missing");
  };
  for await (const check of tryRoutes(connection, parts, signal)) {
    checks.push(check);
    yield { works: null, checks: [...checks] };
  }
  const { ask, key, machine } = parts;
  const isReachable = checks.every(({ what, state }) => (what !== "address" && what !== "key") || state !== "fails");
  if (ask !== undefined && isReachable) {
    checks.push(await askOnce(connection, { key, machine, model: ask.model ?? undefined }, signal));
  }
  yield { works: checks.every(isEnough), checks };
}

async function* tryRoutes(
  connection: Connection,
  parts: TestDeps,
  signal: AbortSignal,
): AsyncGenerator<ConnectionCheck, void> {
  const headers = connection.adapter === "anthropic-batch" ? { headers: anthropicHeaders } : {};
  const client = createHttpClient({ ...addressOf(connection, { ...parts, timeout }), ...headers });
  const asked = { name: connection.name, key: parts.key };
  try {
    const own = routes[connection.adapter];
    const errors = new Map<Route, ConnectionError | null>();
    // The key is tried with the first of them that answers.
    for (const route of own) {
      const error = await read(client, asked, route.path, signal);
      errors.set(route, error);
      if (error?.code === "key_unusable") break;
      if (errors.size === 1) {
        const address = isMissing(error)
          ? await findAddress(connection, client, parts, signal)
          : describeAddress(error, connection.url);
        yield withIgnoredProxy(address, connection);
        if (address.state === "fails") return;
      }
      if (error === null || isOfKey(error)) break;
    }
    const keyCheck = describeKey([...errors.values()].at(-1) ?? null, parts.key);
    yield keyCheck;
    if (keyCheck.state === "fails") return;
    for (const route of own) {
      const known = errors.get(route);
      yield describeRoute(route, known === undefined ? await read(client, asked, route.path, signal) : known);
    }
  } finally {
    await client.close();
  }
}

async function read(
  client: HttpClient,
  { name, key }: Pick<ServerAddress, "name" | "key">,
  path: string,
  signal: AbortSignal,
): Promise<ConnectionError | null> {
  const [pathname = "", search = ""] = path.split("?");
  const query = Object.fromEntries(new URLSearchParams(search));
  try {
    const value = await client.json(pathname, z.union([z.array(z.unknown()), z.looseObject({})]), { query, signal });
    const error = findError(value);
    return (
      error && describeErrorStatus(error.status, hideSecret(JSON.stringify({ error: error.error }), key), name, null)
    );
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
}

const unreachable = new Set([
  "unreachable",
  "failed",
  "timed_out",
  "certificate",
  "proxy",
  "proxy_variable",
  "not_the_api",
]);

function describeAddress(error: ConnectionError | null, url: string): ConnectionCheck {
  if (error === null || !unreachable.has(error.code)) return answers(url);
  return { what: "address", state: "fails", message: `${error.message} ${error.stepThere}` };
}

/** Names a proxy variable that is ignored: the check may have failed for lack of that proxy, or passed without it. */
function withIgnoredProxy(check: ConnectionCheck, { url, proxy }: Connection): ConnectionCheck {
  const variable = proxy === null ? findIgnoredProxy(new URL(url), process.env) : null;
  if (variable === null) return check;
  const step = "To use a proxy, set HTTPS_PROXY, or the connection's own.";
  return {
    ...check,
    message: `${check.message} ${variable} is ignored: its proxy is neither HTTP nor SOCKS5. ${step}`,
  };
}

const answers = (url: string): ConnectionCheck => ({
  what: "address",
  state: "works",
  message: `A server answers at ${new URL(url).host}.`,
});

/**
 * Distinguishes an API that doesn't list its models from an address without an API: another endpoint that the adapter needs
 * is there, or the API is at `/v1` below.
 */
async function findAddress(
  connection: Connection,
  client: HttpClient,
  parts: TestDeps,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const { name, adapter, url } = connection;
  const asked = { name, key: parts.key };
  const others = routes[adapter].filter(({ need }) => need === "all");
  for (const { path } of others) if (!isNowhere(await read(client, asked, path, signal))) return answers(url);
  const message = `${name} has no API at this address: ${new URL(url).pathname} is not found there.`;
  const suggestedUrl = findVersionedUrl(connection);
  if (suggestedUrl !== null) {
    const below = createHttpClient(addressOf({ ...connection, url: suggestedUrl }, { ...parts, timeout }));
    try {
      const isThere = !isNowhere(await read(below, asked, routes[adapter][0]?.path ?? "", signal));
      if (isThere)
        return { what: "address", state: "fails", message: `${message} It is at ${suggestedUrl}.`, suggestedUrl };
    } finally {
      await below.close();
    }
  }
  return { what: "address", state: "fails", message: `${message} Check the address: it usually ends in /v1.` };
}

const isNowhere = (error: ConnectionError | null) =>
  error !== null && (isMissing(error) || unreachable.has(error.code));

const isOfKey = ({ code }: ConnectionError) =>
  code === "key_refused" || code === "key_missing" || code === "key_unusable";

function describeKey(error: ConnectionError | null, key: string | null): ConnectionCheck {
  if (error !== null && isOfKey(error))
    return { what: "key", state: "fails", message: `${error.message} ${error.stepThere}` };
  if (error !== null) return { what: "key", state: "missing", message: "The key could not be tried." };
  return { what: "key", state: "works", message: key === null ? "It asks for no key." : "The key is accepted." };
}

function describeRoute({ what, works }: Route, error: ConnectionError | null): ConnectionCheck {
  if (error === null) return { what, state: "works", message: works };
  if (isMissing(error)) return { what, state: "missing", message: missing[what] };
  return { what, state: "fails", message: `${error.message} ${error.stepThere}` };
}

const missing: Readonly<Record<Route["what"], string>> = {
  models: "It does not list its models: type the model's name where one is chosen.",
  batches: "It has no batch API.",
  files: "It does not list files. Batches don't need that.",
  mcp: "It has no MCP endpoint. Batches don't need that.",
};
