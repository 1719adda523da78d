import type { RequestId } from "@modelcontextprotocol/server";

/** Calls that a later request may cancel. */
export interface CallsInFlight {
  /** Notes a call of a client. The answer forgets it. */
  add(client: string, id: RequestId, cancel: () => void): () => void;
  cancel(client: string, id: RequestId): void;
}

/**
 * In revisions up to 2025-11-25 a client cancels with a request of its own, which without sessions names nothing but the
 * id of the call, counted from 0 by every client. So a call is known by its id and by where it came from; where two fit,
 * neither is cancelled: a call that goes on costs little, an answer that never comes costs its client a lot.
 */
export function createCallsInFlight(): CallsInFlight {
  const calls = new Map<string, Set<() => void>>();
  const toKey = (client: string, id: RequestId) => JSON.stringify([client, id]);

  return {
    add(client, id, cancel) {
      const key = toKey(client, id);
      const found = calls.get(key) ?? new Set();
      calls.set(key, found.add(cancel));
      return () => {
        found.delete(cancel);
        if (found.size === 0 && calls.get(key) === found) calls.delete(key);
      };
    },
    cancel(client, id) {
      const [cancel, ...others] = calls.get(toKey(client, id)) ?? [];
      if (others.length === 0) cancel?.();
    },
  };
}
