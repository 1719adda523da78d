import type { Clock } from "../ports.ts";

/** The longest delay that `setTimeout` takes; it fires at once for a longer one. */
export const longestTimeout = 2 ** 31 - 1;

/** The machine's own time. */
export function createSystemClock(): Clock {
  function after(delay: number, run: () => void): () => void {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer =
        left > longestTimeout ? setTimeout(() => wait(left - longestTimeout), longestTimeout) : setTimeout(run, left);
    };
    wait(Math.max(0, delay));
    return () => clearTimeout(timer);
  }

  return {
    now: () => Date.now(),
    after,
    sleep: (delay, signal) => sleepWith(after, delay, signal),
  };
}

/** `Clock.sleep` in terms of `Clock.after`. */
export function sleepWith(after: Clock["after"], delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const wake = () => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    };
    const forget = after(delay, wake);
    const giveUp = () => {
      forget();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
