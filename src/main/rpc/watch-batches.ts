import type { BatchView } from "#contract";
import type { BatchRecord } from "#service";
import type { BatchApi } from "../connections/index.ts";
import { toBatchView } from "./batch-view.ts";

/**
 * Every change of any batch from now on. A reader that is slow gets the latest of each batch, not all that it missed.
 * Ends, and stops listening, when the signal is aborted or the reader goes.
 */
export function watchBatches(api: BatchApi, signal: AbortSignal): AsyncGenerator<BatchView> {
  const changed = new Map<string, BatchRecord>();
  let wake = Promise.withResolvers<void>();
  const unsubscribe = api.batches.subscribe((batch) => {
    changed.set(batch.id, batch);
    wake.resolve();
  });
  let listening = true;
  const end = () => {
    if (listening) unsubscribe();
    listening = false;
    wake.resolve();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });

  return (async function* () {
    try {
      while (listening) {
        await wake.promise;
        wake = Promise.withResolvers();
        const batches = [...changed.values()];
        changed.clear();
        for (const batch of batches) yield toBatchView(batch, api);
      }
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  })();
}
