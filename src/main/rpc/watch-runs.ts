import type { Machine } from "#main/base";
import { watchChanges } from "./watch-changes.ts";

interface RunView {
  readonly batchId: string;
  readonly state: string;
}

/** Runs over whole batches, of one kind. */
interface WatchedRuns<View> {
  get(batchId: string): Promise<View | null>;
  subscribe(listener: (run: View) => void): () => void;
  listRunning(): Iterable<View>;
}

/** Every change of the runs from now on. A run that is silent is sent again, with its time left. */
export function watchRuns<View extends RunView>(
  runs: WatchedRuns<View>,
  machine: Machine,
  signal: AbortSignal | undefined,
): AsyncGenerator<View> {
  return watchChanges(
    {
      subscribe: runs.subscribe,
      idOf: ({ batchId }) => batchId,
      async toView(run) {
        if (run.state !== "running") return run;
        // Its batch may be gone by now.
        return (await runs.get(run.batchId).catch(() => null)) ?? run;
      },
      silent: {
        machine,
        moving: () => runs.listRunning(),
        current: (run) => (run.state === "running" ? run : null),
      },
    },
    signal,
  );
}
