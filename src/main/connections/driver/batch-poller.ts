import { backOff, finalStatuses } from "#contract";
import type { Machine } from "#main/base";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";
import { ConnectionError, isMissing } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";

/** Polls the running batches of one connection, all of them with one request where the service lists them. */
export interface BatchPoller {
  /** The batch as the next poll finds it. Rejects with a ConnectionError, or with the signal's reason. */
  next(id: string, signal: AbortSignal): Promise<RemoteBatch>;
  /** A page shows a batch: it is polled at once, and more often for a while. */
  watch(): void;
  close(): void;
}

export interface BatchPollerOptions {
  readonly adapter: Pick<BatchAdapter, "get" | "list">;
  readonly machine: Machine;
  /** Between two polls, in milliseconds. */
  readonly pollInterval: number;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
}

/** Between two polls of a batch that is watched, in milliseconds. */
const watchedInterval = 2_000;
/** How long a batch counts as watched after it was shown, in milliseconds. */
const watchLength = 60_000;

interface Waiting extends PromiseWithResolvers<RemoteBatch> {
  readonly id: string;
}

/** The poller of a connection. After a failure it asks for no batch until `retry-after`, or else a back-off, is over. */
export function createBatchPoller({
  adapter,
  machine,
  pollInterval,
  firstDelay,
  longestDelay,
}: BatchPollerOptions): BatchPoller {
  const closing = new AbortController();
  const shortInterval = Math.min(watchedInterval, pollInterval);
  let waiting: Waiting[] = [];
  let cancelTimer = () => {};
  let isAsking = false;
  let canList = true;
  const known = new Set<string>();
  let lastLook = Number.NEGATIVE_INFINITY;
  let watchedUntil = Number.NEGATIVE_INFINITY;
  let notBefore = Number.NEGATIVE_INFINITY;
  let failures = 0;

  function schedule(): void {
    cancelTimer();
    if (isAsking || waiting.length === 0 || closing.signal.aborted) return;
    const now = machine.monotonic();
    const due = Math.max(notBefore, lastLook + (now < watchedUntil ? shortInterval : pollInterval));
    cancelTimer = machine.after(Math.max(0, due - now), () => void poll());
  }

  async function poll(): Promise<void> {
    isAsking = true;
    const asked = waiting;
    waiting = [];
    const open = new Map(Map.groupBy(asked, ({ id }) => id));
    const settle = (id: string, answer: (one: Waiting) => void) => {
      open.get(id)?.forEach(answer);
      open.delete(id);
    };
    try {
      if (open.size > 1 && canList) {
        for await (const batch of listRunning()) {
          settle(batch.id, ({ resolve }) => resolve(batch));
          if (open.size === 0) break;
        }
      }
      for (const id of [...open.keys()]) {
        try {
          const batch = await adapter.get(id, closing.signal);
          settle(id, ({ resolve }) => resolve(batch));
        } catch (error) {
          // That one batch is gone is no failure of the others.
          if (!isMissing(error)) throw error;
          settle(id, ({ reject }) => reject(error));
        }
      }
      failures = 0;
    } catch (error) {
      const asked = error instanceof ConnectionError ? error.retryAfter : null;
      const delay = backOff(failures, { first: firstDelay, longest: longestDelay });
      notBefore = machine.monotonic() + Math.max(delay, asked ?? 0);
      failures += 1;
      for (const id of [...open.keys()]) settle(id, ({ reject }) => reject(error));
    } finally {
      isAsking = false;
      lastLook = machine.monotonic();
      schedule();
    }
  }

  /** Ended batches are asked for one by one: a list may lack their final details. */
  async function* listRunning(): AsyncGenerator<RemoteBatch, void> {
    try {
      for await (const batch of adapter.list(closing.signal)) {
        if (!finalStatuses.has(batch.status) && !batch.isUnknown) yield batch;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
      canList = false;
    }
  }

  return {
    async next(id, signal) {
      signal.throwIfAborted();
      const one: Waiting = { id, ...Promise.withResolvers<RemoteBatch>() };
      const giveUp = () => {
        waiting = waiting.filter((other) => other !== one);
        one.reject(signal.reason);
        schedule();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.push(one);
      // One that was just sent may be a small one; one that was sent before a restart may have ended.
      if (!known.has(id)) watchedUntil = machine.monotonic() + watchLength;
      known.add(id);
      schedule();
      try {
        return await one.promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
    },
    watch() {
      watchedUntil = machine.monotonic() + watchLength;
      schedule();
    },
    close() {
      cancelTimer();
      closing.abort();
    },
  };
}
