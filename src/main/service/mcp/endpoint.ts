import type { ToolParts } from "./tools.ts";

/** One HTTP request to the endpoint. */
export interface McpExchange {
  /** Those that begin with `mcp-`. */
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: unknown;
  /** Where it came from, as well as that is known. */
  readonly client: string;
  /** Aborted when the exchange is over, with its answer or without. */
  readonly over: AbortSignal;
}

/** Streamable HTTP without sessions, for clients of 2026-07-28 and of the revisions before it. */
export interface McpEndpoint {
  answer(exchange: McpExchange): Promise<Response>;
  /** Loads what answering stands on, so that the first call need not wait for it. */
  prepare(): void;
  /** Ends what would stay open for as long as its client listens; calls come to their end. */
  close(): void;
}

/** Loads the protocol's library with the first call: a service without MCP clients starts without it. */
export function createMcpEndpoint(parts: ToolParts): McpEndpoint {
  let isClosed = false;
  let loading: Promise<Omit<McpEndpoint, "prepare">> | undefined;

  function load(): Promise<Omit<McpEndpoint, "prepare">> {
    loading ??= import("./protocol.ts").then(({ createProtocolEndpoint }) => {
      const endpoint = createProtocolEndpoint(parts);
      if (isClosed) endpoint.close();
      return endpoint;
    });
    return loading;
  }

  return {
    answer: async (exchange) => (await load()).answer(exchange),
    prepare() {
      parts.verifier.prepare?.();
      load().catch(() => undefined);
    },
    close() {
      isClosed = true;
      loading?.then((endpoint) => endpoint.close()).catch(() => undefined);
    },
  };
}
