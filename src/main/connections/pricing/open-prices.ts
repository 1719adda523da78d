import type { Prices } from "#main/results";
import type { ConnectionStore } from "../connection-store.ts";
import { findPrices } from "./model-price.ts";

/** Today's prices of connections. */
export function openPrices(connections: Pick<ConnectionStore, "find" | "subscribe">): Prices {
  return {
    async find(connectionId, models) {
      const connection = await connections.find(connectionId);
      return connection === undefined ? null : await findPrices(connection, models);
    },
    subscribe: (listener) => connections.subscribe(listener),
  };
}
