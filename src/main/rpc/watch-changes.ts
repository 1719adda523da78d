import type { Machine } from "#main/base";

/** How often a thing is sent again while nothing of it changes, in milliseconds: silence makes the time left longer. */
const silentInterval = 2_000;

export interface WatchDeps<Thing, View> {
  /** Calls the listener on every change; returns a function that unsubscribes it. */
  readonly subscribe: (listener: (thing: Thing) => void) => () => void;
  readonly idOf: (thing: Thing) => string;
  /** The value that the page gets, read when it is sent. */
  readonly toView: (thing: Thing) => View | Promise<View>;
  /** Sent at once, before there is any change. */
  readonly initial?: Thing;
  /** Sends things again while nothing of them changes. */
  readonly silent?: {
    readonly machine: Pick<Machine, "every">;
    /** Those that move when the page begins to watch: they may have been silent for long. */
    readonly moving?: () => Iterable<Thing>;
    /** Reads one anew; null where it moves no more. */
    readonly current: (thing: Thing) => Thing | null;
  };
}

const never = new AbortController().signal;

/**
 * Every change from now on of the things that `subscribe` reports. A slow reader gets the latest state of each thing, and
 * not all changes. Ends, and unsubscribes, when the signal is aborted or the reader ends.
 */
export function watchChanges<Thing, View>(
  { subscribe, idOf, toView, initial, silent }: WatchDeps<Thing, View>,
  signal: AbortSignal = never,
): AsyncGenerator<View> {
  const changed = new Map<string, Thing>();
  const moving = new Map(Array.from(silent?.moving?.() ?? [], (thing) => [idOf(thing), thing]));
  /** Those of them that changed since they were last looked at. */
  const fresh = new Set<string>();
  let wake = Promise.withResolvers<void>();
  const add = (thing: Thing) => {
    const id = idOf(thing);
    changed.set(id, thing);
    if (silent !== undefined) moving.set(id, thing);
    fresh.add(id);
    wake.resolve();
  };
  const sendSilent = () => {
    for (const [id, thing] of moving) {
      const current = silent?.current(thing) ?? null;
      if (current === null) moving.delete(id);
      else if (!fresh.has(id) && !changed.has(id)) changed.set(id, current);
    }
    fresh.clear();
    if (changed.size > 0) wake.resolve();
  };
  const stopRepeating = silent?.machine.every(silentInterval, sendSilent, { unref: true });
  if (initial !== undefined) add(initial);
  const unsubscribe = subscribe(add);
  let listening = true;
  const end = () => {
    if (listening) unsubscribe();
    stopRepeating?.();
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
        const things = [...changed.values()];
        changed.clear();
        for (const thing of things) if (listening) yield await toView(thing);
      }
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  })();
}
