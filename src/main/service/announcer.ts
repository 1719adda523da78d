import type { Logger, Machine } from "./ports.ts";

/** Between two announcements about one thing, in milliseconds. */
const interval = 100;

/** What an announcer needs to know of what it announces. */
export interface AnnouncedAs {
  readonly id: string;
  /** A change of it is told at once. */
  readonly status: string;
  /** Whether nothing more is to come of it. */
  readonly isOver: boolean;
}

/** Tells listeners of changes: a new status at once, anything else at most ten times a second for each thing. */
export interface Announcer<T> {
  announce(thing: T): void;
  subscribe(listener: (thing: T) => void): () => void;
  /** Drops what is still to be announced. */
  close(): void;
}

interface Announced<T> {
  status: string;
  at: number;
  latest: T;
  forget: (() => void) | null;
}

export function createAnnouncer<T>(
  machine: Machine,
  logger: Logger,
  tellAbout: (thing: T) => AnnouncedAs,
): Announcer<T> {
  const listeners = new Set<{ readonly tell: (thing: T) => void }>();
  const announced = new Map<string, Announced<T>>();

  function tellAll(state: Announced<T>): void {
    const { id, status, isOver } = tellAbout(state.latest);
    state.forget?.();
    state.forget = null;
    state.at = machine.monotonic();
    state.status = status;
    if (isOver) announced.delete(id);
    for (const { tell } of listeners) {
      try {
        tell(state.latest);
      } catch (error) {
        logger.error("A listener failed", { error: String(error) });
      }
    }
  }

  return {
    announce(thing) {
      const { id, status } = tellAbout(thing);
      const state = announced.get(id);
      if (state === undefined) {
        const first: Announced<T> = { status, at: 0, latest: thing, forget: null };
        announced.set(id, first);
        tellAll(first);
        return;
      }
      state.latest = thing;
      const wait = state.at + interval - machine.monotonic();
      if (status !== state.status || wait <= 0) tellAll(state);
      else state.forget ??= machine.after(wait, () => tellAll(state));
    },
    subscribe(tell) {
      const listener = { tell };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const state of announced.values()) state.forget?.();
      announced.clear();
      listeners.clear();
    },
  };
}
