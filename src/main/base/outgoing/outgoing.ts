import type { Agent, Dispatcher } from "undici";
import { ServiceError } from "../errors.ts";
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

/**
 * A client without time-outs: those are the caller's, by its own clock. Nothing of the environment is read before the
 * first request, so that this never throws.
 */
export function createOutgoing(options: Pick<Agent.Options, "connections"> = {}): Outgoing {
  const dispatchers = new Map<string, Dispatcher>();
  let isClosed = false;

  /** Loaded here: a process that asks no server starts without it. */
  async function open(proxy: ChosenProxy | null) {
    const { Agent, ProxyAgent, request } = await import("undici");
    if (isClosed) throw new ServiceError("service_closing", "Sheaf is closing. Start it, and try again.");
    const key = proxy?.url.href ?? "";
    const settings = { ...options, headersTimeout: 0, bodyTimeout: 0 };
    const dispatcher =
      dispatchers.get(key) ?? (proxy === null ? new Agent(settings) : new ProxyAgent({ ...settings, uri: key }));
    dispatchers.set(key, dispatcher);
    return { request, dispatcher };
  }

  return {
    async request(target, options) {
      const proxy = findProxy(target, process.env);
      const { request, dispatcher } = await open(proxy);
      try {
        return await request(target, { ...options, dispatcher });
      } catch (error) {
        if (proxy === null || !isOfProxy(error)) throw error;
        const message = `${proxy.variable} names a proxy that makes no connection`;
        throw new ProxyError(message, { isVariable: false, cause: error });
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

const proxyCodes: ReadonlySet<unknown> = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_CONN", "UND_ERR_PRX_TLS"]);

/** Whether a request through a proxy failed before the proxy passed it on: only the proxy itself is connected to. */
function isOfProxy(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfProxy);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "connect" || syscall === "getaddrinfo" || proxyCodes.has(code)) return true;
  return /proxy (response|authentication)/i.test(error.message) || isOfProxy(error.cause);
}
