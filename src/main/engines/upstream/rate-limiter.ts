import type { Clock } from "#main/base";

/** What caps are counted over, in milliseconds. */
const windowLength = 60_000;

export interface Caps {
  /** Null for no cap. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** A request that was let through. */
export interface Admission {
  /** Corrects how many tokens were expected of it. */
  settle(tokens: number): void;
}

/** Holds requests back so that in no minute there are more than the caps allow. */
export interface RateLimiter {
  /**
   * Resolves when the request may go, in the order of asking; rejects with the signal's reason. A request of more tokens
   * than the cap goes alone.
   */
  admit(expectedTokens: number, signal: AbortSignal): Promise<Admission>;
  /** Lets nothing through for so many milliseconds from now. */
  pause(milliseconds: number): void;
}

interface Entry {
  readonly at: number;
  tokens: number;
}

export function createRateLimiter({ requestsPerMinute, tokensPerMinute }: Caps, clock: Clock): RateLimiter {
  const mostRequests = requestsPerMinute ?? Number.POSITIVE_INFINITY;
  const mostTokens = tokensPerMinute ?? Number.POSITIVE_INFINITY;
  const isCapped = requestsPerMinute !== null || tokensPerMinute !== null;
  let window: Entry[] = [];
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let lastInLine: Promise<void> = Promise.resolve();

  /** How long the next request has to wait before it can be looked at again; 0 when it may go. */
  function findWait(tokens: number): number {
    const now = clock.monotonic();
    if (now < pausedUntil) return pausedUntil - now;
    window = window.filter(({ at }) => now - at < windowLength);
    const [oldest] = window;
    if (oldest === undefined) return 0;
    const used = window.reduce((sum, entry) => sum + entry.tokens, 0);
    const fits = window.length < mostRequests && used + tokens <= mostTokens;
    return fits ? 0 : oldest.at + windowLength - now;
  }

  function enter(tokens: number): Admission {
    const entry = { at: clock.monotonic(), tokens };
    if (isCapped) window.push(entry);
    return {
      settle(actual) {
        entry.tokens = actual;
      },
    };
  }

  return {
    async admit(tokens, signal) {
      signal.throwIfAborted();
      const before = lastInLine;
      const { promise, resolve } = Promise.withResolvers<void>();
      lastInLine = promise;
      try {
        await untilAborted(before, signal);
        for (let wait = findWait(tokens); wait > 0; wait = findWait(tokens)) await clock.sleep(wait, signal);
        return enter(tokens);
      } finally {
        // One that gave up keeps its place until those before it have gone.
        void before.then(resolve);
      }
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + milliseconds);
    },
  };
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
