import type { Logger, Machine } from "./ports.ts";

/** Between two events about one thing, in milliseconds: each has every page that shows it drawn anew. */
const interval = 250;

/** What the emitter needs to know of what it emits. */
export interface EmittedAs {
  readonly id: string;
  /** A change of it is emitted at once. */
  readonly status: string;
  /** Whether it changes no more. */
  readonly isOver: boolean;
}

/** Tells listeners of changes: a new status at once, anything else at most four times a second for each thing. */
export interface ThrottledEmitter<T> {
  emit(thing: T): void;
  subscribe(listener: (thing: T) => void): () => void;
  /** Drops what is still to be emitted. */
  close(): void;
}

interface Emitted<T> {
  status: string;
  at: number;
  latest: T;
  cancelTimer: (() => void) | null;
}

export function createThrottledEmitter<T>(
  machine: Machine,
  logger: Logger,
  keyOf: (thing: T) => EmittedAs,
): ThrottledEmitter<T> {
  const listeners = new Set<{ readonly notify: (thing: T) => void }>();
  const emitted = new Map<string, Emitted<T>>();

  function notifyAll(state: Emitted<T>): void {
    const { id, status, isOver } = keyOf(state.latest);
    state.cancelTimer?.();
    state.cancelTimer = null;
    state.at = machine.monotonic();
    state.status = status;
    if (isOver) emitted.delete(id);
    for (const { notify } of listeners) {
      try {
        notify(state.latest);
      } catch (error) {
        logger.error("A listener failed", { error: String(error) });
      }
    }
  }

  return {
    emit(thing) {
      const { id, status } = keyOf(thing);
      const state = emitted.get(id);
      if (state === undefined) {
        const first: Emitted<T> = { status, at: 0, latest: thing, cancelTimer: null };
        emitted.set(id, first);
        notifyAll(first);
        return;
      }
      state.latest = thing;
      const wait = state.at + interval - machine.monotonic();
      if (status !== state.status || wait <= 0) notifyAll(state);
      else state.cancelTimer ??= machine.after(wait, () => notifyAll(state));
    },
    subscribe(notify) {
      const listener = { notify };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const state of emitted.values()) state.cancelTimer?.();
      emitted.clear();
      listeners.clear();
    },
  };
}
