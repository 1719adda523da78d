import type { PageRequest } from "#contract";

/** What the app asks of its page. Requests wait until a page takes them, and each is taken once. */
export interface PageRequests {
  add(request: PageRequest): void;
  /** Yields what waits and what comes. Another caller, the next load of the page, ends it. */
  take(signal?: AbortSignal): AsyncGenerator<PageRequest, void>;
}

/** More than a user makes before a page is there. */
const mostWaiting = 100;

export function createPageRequests(): PageRequests {
  const waiting: PageRequest[] = [];
  let current = new AbortController();
  let wake = () => {};
  return {
    add(request) {
      if (waiting.length === mostWaiting) waiting.shift();
      waiting.push(request);
      wake();
    },
    async *take(signal) {
      current.abort();
      current = new AbortController();
      const ending = signal === undefined ? current.signal : AbortSignal.any([signal, current.signal]);
      ending.addEventListener("abort", () => wake(), { once: true });
      while (!ending.aborted) {
        const [next] = waiting;
        if (next === undefined) {
          const woken = Promise.withResolvers<void>();
          wake = woken.resolve;
          await woken.promise;
          continue;
        }
        // A page that ends while it is handed the request has not taken it.
        yield next;
        if (!ending.aborted) waiting.shift();
      }
    },
  };
}
