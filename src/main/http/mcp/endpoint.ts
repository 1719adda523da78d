import { loadOnce } from "../load-once.ts";
import type { ProtocolEndpoint } from "./protocol.ts";
import type { ToolDeps } from "./tools.ts";

/** Streamable HTTP without sessions, for clients of 2026-07-28 and of the revisions before it. */
export interface McpEndpoint extends ProtocolEndpoint {
  /** Loads what an answer needs, so that the first call doesn't wait for it. */
  prepare(): void;
}

/** Loads the protocol's library with the first call: a service without MCP clients starts without it. */
export function createMcpEndpoint(parts: ToolDeps): McpEndpoint {
  let isClosed = false;
  let loaded: ProtocolEndpoint | null = null;
  const load = loadOnce(async () => {
    const { createProtocolEndpoint } = await import("./protocol.ts");
    loaded = createProtocolEndpoint(parts);
    if (isClosed) loaded.close();
    return loaded;
  });

  return {
    answer: async (exchange) => (await load()).answer(exchange),
    prepare() {
      parts.verifier.prepare?.();
      load().catch(() => undefined);
    },
    close() {
      isClosed = true;
      loaded?.close();
    },
  };
}
