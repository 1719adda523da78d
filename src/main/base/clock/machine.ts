import type { Clock, Machine } from "../ports.ts";

/** Resolves when the event loop has had its turn. Not a matter of time: no clock has a part in it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** The longest delay that `setTimeout` takes, in milliseconds; it fires at once for a longer one. */
const longestTimeout = 2 ** 31 - 1;
/** Between two looks at the wall clock, which may be set forward at any moment, in milliseconds. */
export const wallLookInterval = 30_000;

/** The time of the computer that the process runs on. */
export function createSystemMachine(): Machine {
  return completeMachine({
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    after(delay, run, { unref = false } = {}) {
      const due = performance.now() + delay;
      let timer: NodeJS.Timeout;
      const wait = () => {
        timer = setTimeout(wake, Math.min(Math.max(0, Math.ceil(due - performance.now())), longestTimeout));
        if (unref) timer.unref();
      };
      // Node's timers fire up to a millisecond early, and long delays are waited for in pieces.
      const wake = () => (performance.now() < due ? wait() : run());
      wait();
      return () => clearTimeout(timer);
    },
  });
}

/** A machine in terms of its two times and one kind of timer. */
export function completeMachine({ wall, monotonic, after }: Pick<Machine, "wall" | "monotonic" | "after">): Machine {
  return {
    wall,
    monotonic,
    after,
    at(moment, run) {
      const due = monotonic() + Math.max(0, moment - wall());
      let cancel = () => {};
      const wait = () => {
        cancel = after(Math.min(due - monotonic(), wallLookInterval), () => {
          if (wall() >= moment || monotonic() >= due) run();
          else wait();
        });
      };
      wait();
      return () => cancel();
    },
    every(interval, run, options) {
      let cancel = () => {};
      const wait = () => {
        cancel = after(
          interval,
          () => {
            wait();
            run();
          },
          options,
        );
      };
      wait();
      return () => cancel();
    },
    sleep: (delay, signal) => sleepWith(after, delay, signal),
    timeout(delay) {
      const timer = new AbortController();
      after(delay, () => timer.abort(new DOMException("It took too long.", "TimeoutError")), { unref: true });
      return timer.signal;
    },
  };
}

/** `sleep` in terms of `after`. */
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
