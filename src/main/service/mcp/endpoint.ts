import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createLegacyEndpoint } from "./legacy-endpoint.ts";
import { createToolServer, type ToolParts } from "./tools.ts";

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
  /** Ends what is still open. */
  close(): Promise<void>;
}

export function createMcpEndpoint(parts: ToolParts): McpEndpoint {
  const createServer = () => createToolServer(parts);
  const current = createMcpHandler(createServer, {
    legacy: "reject",
    // A request that is refused is told so. What is in it is not for the log.
    onerror: ({ name }) => parts.logger.debug("mcp request refused", { error: name }),
  });
  const legacy = createLegacyEndpoint(createServer);

  return {
    async answer(exchange) {
      const { headers, body, over } = exchange;
      // The types have been seen to, and the path plays no part in the protocol.
      headers.set("accept", "application/json, text/event-stream");
      headers.set("content-type", "application/json");
      const request = new Request("http://localhost/v1/mcp", { method: "POST", headers, signal: over });
      if (await isLegacyRequest(request, body)) return legacy(request, exchange);
      return current.fetch(request, { parsedBody: body });
    },
    close: current.close,
  };
}
