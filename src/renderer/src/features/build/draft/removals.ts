import { createStore, type StoreApi } from "zustand/vanilla";

/** How long a removed draft can be brought back, in milliseconds. */
export const removalDelay = 10_000;

/** Drafts the user has removed and can still bring back: out of sight, but not gone yet. */
export interface Removals {
  readonly state: Pick<StoreApi<ReadonlySet<string>>, "getState" | "getInitialState" | "subscribe">;
  /** Removes a draft in ten seconds, unless it is kept until then. */
  schedule(id: string, remove: () => void): void;
  /** Takes the removal back. False when there is none any more. */
  keep(id: string): boolean;
}

export function createRemovals(): Removals {
  const state = createStore<ReadonlySet<string>>()(() => new Set());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function take(id: string): boolean {
    clearTimeout(timers.get(id));
    state.setState(new Set([...state.getState()].filter((other) => other !== id)), true);
    return timers.delete(id);
  }

  return {
    state,
    schedule(id, remove) {
      take(id);
      state.setState(new Set([...state.getState(), id]), true);
      timers.set(
        id,
        setTimeout(() => {
          take(id);
          remove();
        }, removalDelay),
      );
    },
    keep: take,
  };
}

/** The removals of this page. */
export const removals = createRemovals();
