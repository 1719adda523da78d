import { createContext, use } from "react";
import { useStore } from "zustand";
import type { Api, Bridge, Rpc } from "./bridge.ts";
import type { ConnectionState } from "./connection.ts";

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
