import { createMcpHandler, isJSONRPCRequest, isLegacyRequest } from "@modelcontextprotocol/server";
import type { McpEndpoint } from "./endpoint.ts";
import { createLegacyEndpoint } from "./legacy-endpoint.ts";
import { createToolServer, type ToolParts } from "./tools.ts";

/** The endpoint on the protocol's own library. */
export function createLoadedEndpoint(parts: ToolParts): Omit<McpEndpoint, "prepare"> {
  const current = createMcpHandler(() => createToolServer(parts, "current"), {
    legacy: "reject",
    // A request that is refused is told so. What is in it is not for the log.
    onerror: ({ name }) => parts.logger.debug("mcp request refused", { error: name }),
  });
  const legacy = createLegacyEndpoint(() => createToolServer(parts, "legacy"));

  const closing = new AbortController();

  return {
    async answer(exchange) {
      const { body, over } = exchange;
      // The types have been seen to, and the path plays no part in the protocol.
      const headers = new Headers(exchange.headers);
      headers.set("accept", "application/json, text/event-stream");
      headers.set("content-type", "application/json");
      const signal = isListening(body) ? AbortSignal.any([over, closing.signal]) : over;
      const request = new Request("http://localhost/v1/mcp", { method: "POST", headers, signal });
      if (await isLegacyRequest(request, body)) return legacy(request, exchange);
      return current.fetch(request, { parsedBody: body });
    },
    close: () => closing.abort(),
  };
}

/** Whether it asks to hear of changes, of which there are none. */
function isListening(body: unknown): boolean {
  return isJSONRPCRequest(body) && body.method === "subscriptions/listen";
}
