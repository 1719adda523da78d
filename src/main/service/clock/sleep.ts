import type { Clock } from "../ports.ts";

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
