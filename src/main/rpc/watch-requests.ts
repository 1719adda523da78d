import type { RequestNews } from "#contract";
import type { Machine } from "#main/base";
import type { RequestLog } from "#main/http";

/** Milliseconds between two updates: a busy server has thousands of requests a second. */
const rest = 150;
/** How many requests the page lists. */
const most = 1_000;
const never = new AbortController().signal;

/** The stored requests, then new ones, and when they are cleared. Ends when the signal is aborted. */
export async function* watchRequests(
  log: RequestLog,
  machine: Machine,
  signal: AbortSignal = never,
): AsyncGenerator<RequestNews, void> {
  let wake = Promise.withResolvers<void>();
  const unsubscribe = log.subscribe(() => wake.resolve());
  const end = () => wake.resolve();
  signal.addEventListener("abort", end, { once: true });
  try {
    let { requests, count, clearings } = log.after(0, most);
    yield { cleared: true, requests };
    while (!signal.aborted) {
      await wake.promise;
      if (signal.aborted) return;
      wake = Promise.withResolvers();
      const before = { count, clearings };
      ({ requests, count, clearings } = log.after(count, most));
      const cleared = clearings !== before.clearings;
      // Those of other scopes may still be there.
      if (cleared) ({ requests, count } = log.after(0, most));
      if (cleared || count !== before.count) yield { cleared, requests };
      await machine.sleep(rest, signal).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener("abort", end);
    unsubscribe();
  }
}
