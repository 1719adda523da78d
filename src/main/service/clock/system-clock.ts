import type { Clock } from "../ports.ts";
import { sleepWith } from "./sleep.ts";

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
