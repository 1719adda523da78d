import { createStore, type StoreApi } from "zustand/vanilla";

/** How long what was removed can be brought back, in milliseconds. */
export const removalDelay = 10_000;

/** What the user has removed and can still bring back: out of sight, but not gone yet. Closing the page brings it back. */
export interface Removals {
  readonly state: Pick<StoreApi<ReadonlySet<string>>, "getState" | "getInitialState" | "subscribe">;
  /** Removes it in ten seconds, unless that is cancelled until then. */
  schedule(id: string, remove: () => void): void;
  /** False when there is no removal to cancel any more. */
  cancel(id: string): boolean;
}

export function createRemovals(): Removals {
  const state = createStore<ReadonlySet<string>>()(() => new Set());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function cancel(id: string): boolean {
    if (!timers.has(id)) return false;
    clearTimeout(timers.get(id));
    state.setState(new Set([...state.getState()].filter((other) => other !== id)), true);
    return timers.delete(id);
  }

  return {
    state,
    schedule(id, remove) {
      cancel(id);
      state.setState(new Set([...state.getState(), id]), true);
      timers.set(
        id,
        setTimeout(() => {
          cancel(id);
          remove();
        }, removalDelay),
      );
    },
    cancel,
  };
}

/** The drafts that were removed on this page. */
export const draftRemovals = createRemovals();
