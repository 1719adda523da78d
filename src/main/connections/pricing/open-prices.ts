import type { LinePrice, Prices } from "#main/results";
import type { ConnectionStore } from "../connection-store.ts";
import { openLinePrice } from "./line-price.ts";

/** The prices of batches: those of their connections, on the day on which they were made. */
export function openPrices(connections: Pick<ConnectionStore, "find" | "subscribe">): Prices {
  const known = new Map<string, Promise<LinePrice | null>>();
  connections.subscribe(() => known.clear());

  async function open(connectionId: string, isDirect: boolean, day: string): Promise<LinePrice | null> {
    const connection = await connections.find(connectionId);
    return connection === undefined ? null : await openLinePrice(connection, { isDirect, day: new Date(day) });
  }

  return {
    async priceOf({ connection, direct, times }) {
      if (connection === null) return null;
      const day = new Date(times.created).toISOString().slice(0, 10);
      const key = `${connection} ${direct} ${day}`;
      const price = known.get(key) ?? open(connection, direct, day);
      known.set(key, price);
      // A price that could not be read is read again the next time.
      return await price.catch(() => {
        if (known.get(key) === price) known.delete(key);
        return null;
      });
    },
  };
}
