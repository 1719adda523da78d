import { finalStatuses } from "#contract";
import type { Clock, Logger } from "../ports.ts";
import type { BatchRecord } from "../types.ts";

/** Between two announcements of one batch, in milliseconds. */
const interval = 100;

export type BatchListener = (batch: BatchRecord) => void;

/** Tells listeners of changes: a new status at once, counts at most ten times a second for each batch. */
export interface Announcer {
  announce(batch: BatchRecord): void;
  subscribe(listener: BatchListener): () => void;
  /** Drops what is still to be announced. */
  close(): void;
}

interface Announced {
  status: BatchRecord["status"];
  at: number;
  latest: BatchRecord;
  forget: (() => void) | null;
}

export function createAnnouncer(clock: Clock, logger: Logger): Announcer {
  const listeners = new Set<{ readonly tell: BatchListener }>();
  const announced = new Map<string, Announced>();

  function tellAll(state: Announced): void {
    state.forget?.();
    state.forget = null;
    state.at = clock.now();
    state.status = state.latest.status;
    if (finalStatuses.has(state.status)) announced.delete(state.latest.id);
    for (const { tell } of listeners) {
      try {
        tell(state.latest);
      } catch (error) {
        logger.error("A listener of batches failed", { error: String(error) });
      }
    }
  }

  return {
    announce(batch) {
      const state = announced.get(batch.id);
      if (state === undefined) {
        const first: Announced = { status: batch.status, at: 0, latest: batch, forget: null };
        announced.set(batch.id, first);
        tellAll(first);
        return;
      }
      state.latest = batch;
      const wait = state.at + interval - clock.now();
      if (batch.status !== state.status || wait <= 0) tellAll(state);
      else state.forget ??= clock.after(wait, () => tellAll(state));
    },
    subscribe(tell) {
      const listener = { tell };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const state of announced.values()) state.forget?.();
      announced.clear();
      listeners.clear();
    },
  };
}
