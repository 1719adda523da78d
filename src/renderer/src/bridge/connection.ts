import type { ClientLink } from "@orpc/client";
import { createStore, type StoreApi } from "zustand/vanilla";

/**
 * The state of the page's connection to the process behind it. `refused`: this browser has not been let in, or the host was
 * started again and does not know it any more. `lost`: trying again is pointless or has gone on for long. In both the user has to act, but a later
 * success still opens it.
 */
export type ConnectionStatus = "connecting" | "open" | "reconnecting" | "refused" | "lost";

export interface ConnectionState {
  readonly status: ConnectionStatus;
  /** How many times it has opened; a change means that whatever was fetched before may be out of date. */
  readonly openings: number;
}

export type ConnectionStore = StoreApi<ConnectionState>;

/** A way to the process behind the page: calls go through `link`; `connection` has its state. */
export interface Transport {
  readonly link: ClientLink<Record<never, never>>;
  readonly connection: ConnectionStore;
}

/** A call could not be made, or its answer could not arrive, because the connection is gone. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

export function createConnectionStore(): ConnectionStore {
  return createStore<ConnectionState>(() => ({ status: "connecting", openings: 0 }));
}

/** Notes that the connection has opened. */
export function markOpen(connection: ConnectionStore): void {
  connection.setState(({ openings }) => ({ status: "open", openings: openings + 1 }));
}
