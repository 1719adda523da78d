import { createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import { createTanstackQueryUtils, type RouterUtils } from "@orpc/tanstack-query";
import { type rpcContract, webEntry } from "#contract";
import type { ConnectionStore, Transport } from "./connection.ts";
import { createPortTransport } from "./port-transport.ts";
import { createSocketTransport } from "./socket-transport.ts";
import { createWebSession } from "./web-session.ts";

/** The procedures of the RPC contract as functions. */
export type Rpc = ContractRouterClient<typeof rpcContract>;
/** The same procedures as options for TanStack Query. */
export type Api = RouterUtils<Rpc>;

/** All that the page has of the process behind it. */
export interface Bridge {
  readonly rpc: Rpc;
  readonly api: Api;
  readonly connection: ConnectionStore;
}

/** Over the preload's port in the desktop app, which has a scheme of its own; else over a WebSocket. */
export function createBridge(page: Window): Bridge {
  const transport = page.location.protocol === "sheaf:" ? createPortTransport(page) : createWebTransport(page);
  const rpc: Rpc = createORPCClient(transport.link);
  return { rpc, api: createTanstackQueryUtils(rpc), connection: transport.connection };
}

function createWebTransport(page: Window): Transport {
  const address = new URL(webEntry.socketPath, page.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return createSocketTransport({
    connect: () => new WebSocket(address),
    session: createWebSession(page),
    onWake: (retry) => {
      page.addEventListener("online", retry);
      page.addEventListener("focus", retry);
      // Another tab was let in, or a fresh address was opened in this one.
      page.addEventListener("storage", retry);
      page.addEventListener("hashchange", retry);
    },
  });
}
