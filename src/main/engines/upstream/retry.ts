import { backOff } from "#contract";
import type { Clock, EngineCall, EngineError } from "#main/base";
import type { RateLimiter } from "./rate-limiter.ts";

/** An attempt that failed. */
export interface Failure {
  readonly error: EngineError;
  /** Whether another attempt may end better. */
  readonly retryable: boolean;
  /** What the upstream asked to wait, in milliseconds; null when it did not. */
  readonly retryAfter: number | null;
}

export type Attempt<T> = { readonly answer: T } | Failure;

interface RetryOptions {
  /** Attempts after the first. */
  readonly retries: number;
  readonly lineRetries: number;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

const firstDelay = 500;
const longestDelay = 30_000;
/** What is longer is for the caller to wait: someone sits in front of a direct call, no one in front of a batch. */
const longestWait = { direct: 60_000, line: 10 * 60_000 };

/**
 * Tries until there is an answer, or an error that no other attempt changes. Waits double from one attempt to the next,
 * with up to a quarter taken off at random, so that calls that failed together don't come back together. After a
 * `retry-after` all calls wait.
 */
export async function tryRepeatedly<T>(
  { retries, lineRetries, limiter, clock, random }: RetryOptions,
  { signal, line, onWait }: Pick<EngineCall, "signal" | "line" | "onWait">,
  attempt: () => Promise<Attempt<T>>,
): Promise<{ readonly answer: T } | EngineError> {
  const longest = line === null ? longestWait.direct : longestWait.line;
  const most = line === null ? retries : lineRetries;
  for (let failed = 0; ; failed++) {
    const outcome = await attempt();
    if ("answer" in outcome) return outcome;
    const { error, retryable, retryAfter } = outcome;
    if (!retryable || failed === most || (retryAfter ?? 0) > longest) return error;
    if (retryAfter !== null) {
      limiter.pause(retryAfter);
      onWait?.(retryAfter);
    }
    const delay = backOff(failed, { first: firstDelay, longest: longestDelay }) * (1 - random() / 4);
    await clock.sleep(retryAfter ?? delay, signal);
  }
}

/** Does a piece of work that is aborted with the signal, and with a TimeoutError after so many milliseconds. */
export async function withDeadline<T>(
  { signal, milliseconds, clock }: { signal: AbortSignal; milliseconds: number; clock: Clock },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  const cancel = clock.after(milliseconds, () => ending.abort(new DOMException("It took too long.", "TimeoutError")));
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await work(ending.signal);
  } finally {
    cancel();
    signal.removeEventListener("abort", end);
  }
}
