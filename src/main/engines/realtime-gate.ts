import { formatCount } from "#contract";
import type { Clock } from "#main/base";
import type { Tier } from "#main/requests";

const minute = 60_000;
/** No one can tell when a call under way will end: asked to come back after this many milliseconds. */
const busyDelay = 1_000;

/** How much of the requests per minute is left. */
interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until all of it is there again. */
  readonly reset: number;
}

/** What became of a call at the gate: it is in, until it leaves; or it is to come back after `retryAfter` milliseconds. */
export type Entry =
  | { readonly admitted: true; readonly leave: () => void }
  | { readonly admitted: false; readonly message: string; readonly retryAfter: number };

/** Holds direct calls to the tier's limits. A call that is turned away counts for nothing. */
export interface RealtimeGate {
  enter(): Entry;
  allowance(): Allowance;
}

/**
 * A gate that counts over the last 60 seconds of the clock: never more than the limit in any minute, however it is cut. The
 * limits are looked up with each call: they may be others than before.
 */
export function createRealtimeGate(readLimits: () => RealtimeLimits, clock: Clock): RealtimeGate {
  /** When the calls of the last minute began, the oldest first. */
  const begun: number[] = [];
  let underWay = 0;

  function forgetOld(now: number): void {
    while (begun[0] !== undefined && begun[0] + minute <= now) begun.shift();
  }

  function admit(now: number): Entry {
    begun.push(now);
    underWay += 1;
    let inside = true;
    return {
      admitted: true,
      leave: () => {
        if (inside) underWay -= 1;
        inside = false;
      },
    };
  }

  return {
    enter() {
      const now = clock.now();
      const { concurrency, requestsPerMinute } = readLimits();
      forgetOld(now);
      const [oldest] = begun;
      if (oldest !== undefined && begun.length >= requestsPerMinute) {
        const message = `Rate limit reached: ${formatCount(requestsPerMinute, "request")} per minute.`;
        return { admitted: false, message, retryAfter: oldest + minute - now };
      }
      if (underWay >= concurrency) {
        const message = `Too many requests at the same time: ${concurrency} at most.`;
        return { admitted: false, message, retryAfter: busyDelay };
      }
      return admit(now);
    },
    allowance() {
      const now = clock.now();
      const { requestsPerMinute } = readLimits();
      forgetOld(now);
      const newest = begun.at(-1);
      return {
        limit: requestsPerMinute,
        remaining: Math.max(0, requestsPerMinute - begun.length),
        reset: newest === undefined ? 0 : newest + minute - now,
      };
    },
  };
}

/** The limits of direct calls. Batches have no part in it. */
export interface RealtimeLimits {
  /** Most calls under way at a time. */
  readonly concurrency: number;
  /** Most calls that begin within any 60 seconds. */
  readonly requestsPerMinute: number;
}

/** By tier (service-interface.md, Limits). */
export const realtimeLimits: Readonly<Record<Tier, RealtimeLimits>> = {
  free: { concurrency: 2, requestsPerMinute: 1 },
  standard: { concurrency: 10, requestsPerMinute: 60 },
};
