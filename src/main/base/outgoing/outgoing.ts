import type { SecureContext } from "node:tls";
import type { Agent, Dispatcher } from "undici";
import { ServiceError } from "../errors.ts";
import { openTrust } from "./certificates.ts";
import { type ChosenProxy, findProxy, ProxyError } from "./proxies.ts";

type RequestOptions = Omit<Dispatcher.RequestOptions, "origin" | "path" | "method"> &
  Required<Pick<Dispatcher.RequestOptions, "method">>;

/** Sends requests to servers elsewhere, and keeps its connections open between them. */
export interface Outgoing {
  /**
   * Sends one request, through the proxy of the environment where one holds for the target. Redirects are not followed.
   * Rejects with a ProxyError when the proxy is at fault; nothing was sent to the target then.
   */
  request(target: URL, options: RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** How a server is reached: what a connection has of its own; null for what the environment and the system say. */
export interface Route {
  /** The address of a proxy. */
  readonly proxy: string | null;
  /** A file of certificates (PEM) that are trusted besides those of the system. */
  readonly caFile: string | null;
}

const usualRoute: Route = { proxy: null, caFile: null };

/**
 * A client without time-outs: those are the caller's, by its own clock. Nothing of the environment is read before the
 * first request, so that this never throws.
 */
export function createOutgoing({
  route = usualRoute,
  ...options
}: Pick<Agent.Options, "connections"> & { readonly route?: Route | undefined } = {}): Outgoing {
  const dispatchers = new Map<string, Dispatcher>();
  let isClosed = false;

  /** Loaded here: a process that asks no server starts without it. */
  async function open(target: URL, proxy: ChosenProxy | null) {
    const undici = await import("undici");
    // A proxy with TLS needs the certificates also where the server has none.
    const needsTrust = target.protocol === "https:" || proxy?.url.protocol === "https:";
    const key = `${needsTrust} ${proxy?.url.href ?? ""}`;
    const tls = needsTrust && !dispatchers.has(key) ? { secureContext: await openTrust(route.caFile) } : {};
    if (isClosed) throw new ServiceError("service_closing", "Sheaf is closing. Start it, and try again.");
    const dispatcher = dispatchers.get(key) ?? createDispatcher(undici, proxy, tls, options);
    dispatchers.set(key, dispatcher);
    return { request: undici.request, dispatcher };
  }

  return {
    async request(target, asked) {
      const proxy = findProxy(target, process.env, route.proxy);
      const { request, dispatcher } = await open(target, proxy);
      try {
        // A SOCKS dispatcher has its number of connections from the requests.
        return await request(target, { ...asked, ...withoutLimits, ...options, dispatcher });
      } catch (error) {
        if (proxy === null || !isOfProxy(error)) throw error;
        const named = proxy.variable === null ? "The connection has" : `${proxy.variable} names`;
        throw new ProxyError(`${named} a proxy that makes no connection`, { isVariable: false, cause: error });
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

const withoutLimits = { headersTimeout: 0, bodyTimeout: 0 };

function createDispatcher(
  { Agent, ProxyAgent, Socks5ProxyAgent }: typeof import("undici"),
  proxy: ChosenProxy | null,
  tls: { readonly secureContext?: SecureContext },
  options: Pick<Agent.Options, "connections">,
): Dispatcher {
  if (proxy === null) return new Agent({ ...options, ...withoutLimits, connect: tls });
  const { url } = proxy;
  if (!url.protocol.startsWith("socks")) {
    return new ProxyAgent({ ...options, ...withoutLimits, uri: url.href, requestTls: tls, proxyTls: tls });
  }
  // Names are always looked up by the proxy, which is what socks5h asks for.
  const address = url.href.replace(/^socks5h/, "socks5");
  return withoutWarning(() => new Socks5ProxyAgent(address, { requestTls: tls }));
}

/** undici warns on stderr that its SOCKS proxies are new. Users can't do anything about that. */
function withoutWarning<T>(create: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return create();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const proxyCodes: ReadonlySet<unknown> = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_CONN", "UND_ERR_PRX_TLS"]);

/** Whether a request through a proxy failed before the proxy passed it on: only the proxy itself is connected to. */
function isOfProxy(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfProxy);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "connect" || syscall === "getaddrinfo" || proxyCodes.has(code) || isOfSocks(code)) return true;
  return /proxy (response|authentication)/i.test(error.message) || isOfProxy(error.cause);
}

/** A SOCKS proxy that refuses, or that can't reach the server: it can't be told which. */
const isOfSocks = (code: unknown) => typeof code === "string" && code.startsWith("UND_ERR_SOCKS5");
