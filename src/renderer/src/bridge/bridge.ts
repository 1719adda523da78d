import { createORPCClient, DynamicLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { createTanstackQueryUtils, type RouterUtils } from "@orpc/tanstack-query";
import { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { useStore } from "zustand";
import { type ExportOutcome, type rpcContract, webEntry } from "#contract";
import { channels } from "../../../contract/channels.ts";
import {
  ConnectionLostError,
  type ConnectionState,
  type ConnectionStore,
  createConnectionStore,
  markOpen,
  type Transport,
} from "./connection.ts";
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

const BridgeContext = createContext<Bridge | null>(null);

/** Gives the bridge to everything below it. */
export const BridgeProvider = BridgeContext.Provider;

export function useBridge(): Bridge {
  const bridge = use(BridgeContext);
  if (!bridge) {
    throw new Error("useBridge() needs a <BridgeProvider> above it.");
  }
  return bridge;
}

/** The procedures as options for TanStack Query: `useQuery(api.batches.list.queryOptions({ input }))`. */
export function useApi(): Api {
  return useBridge().api;
}

/** The procedures as functions, for streams and for what is done once. */
export function useRpc(): Rpc {
  return useBridge().rpc;
}

export function useConnection(): ConnectionState {
  return useStore(useBridge().connection);
}

/**
 * The cache of the service's answers. The service is on this machine, so being offline does not matter;
 * changes are pushed, so nothing is fetched again but when the connection was down in between.
 */
export function createQueryClient(connection: ConnectionStore): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => error instanceof ConnectionLostError && failures < 2,
      },
      mutations: { networkMode: "always" },
    },
  });
  connection.subscribe((now, before) => {
    if (now.openings > before.openings && now.openings > 1) {
      void queryClient.invalidateQueries();
    }
  });
  return queryClient;
}

/**
 * The nonce that the host's content security policy asks of every style element made at run time. Empty
 * where the host sets none (the development server).
 */
export function readCspNonce(document: Document): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
  return nonce.startsWith("%") ? "" : nonce;
}

/** Follows the link of an export, which makes the browser save the file. The desktop app has saved it already. */
export function deliverExport(outcome: ExportOutcome, document: Document): void {
  if (outcome.how !== "link") return;
  const link = document.createElement("a");
  link.href = outcome.href;
  link.download = outcome.fileName;
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Calls over the MessagePort that the preload passes in. The page reports that it is ready, and takes the first
 * port that comes from its own window and origin.
 */
function createPortTransport(page: Window): Transport {
  const connection = createConnectionStore();
  const link = receivePort(page).then((port) => {
    const ready = new RPCLink({ port });
    port.addEventListener("close", () => connection.setState({ status: "lost" }));
    port.start();
    markOpen(connection);
    return ready;
  });
  return { connection, link: new DynamicLink(() => link) };
}

function receivePort(page: Window): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>();
  function take(event: MessageEvent<unknown>) {
    const [port] = event.ports;
    if (event.source === page && event.origin === page.origin && event.data === channels.portForPage && port) {
      page.removeEventListener("message", take);
      resolve(port);
    }
  }
  page.addEventListener("message", take);
  page.postMessage(channels.pageReady, page.origin);
  return promise;
}
