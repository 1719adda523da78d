export interface WatchDeps<Thing, View> {
  /** Calls the listener on every change; returns a function that unsubscribes it. */
  readonly subscribe: (listener: (thing: Thing) => void) => () => void;
  readonly idOf: (thing: Thing) => string;
  /** The value that the page gets, read when it is sent. */
  readonly toView: (thing: Thing) => View | Promise<View>;
  /** Sent at once, before there is any change. */
  readonly initial?: Thing;
}

const never = new AbortController().signal;

/**
 * Every change from now on of the things that `subscribe` reports. A slow reader gets the latest state of each thing, and
 * not all changes. Ends, and unsubscribes, when the signal is aborted or the reader ends.
 */
export function watchChanges<Thing, View>(
  { subscribe, idOf, toView, initial }: WatchDeps<Thing, View>,
  signal: AbortSignal = never,
): AsyncGenerator<View> {
  const changed = new Map<string, Thing>();
  let wake = Promise.withResolvers<void>();
  const add = (thing: Thing) => {
    changed.set(idOf(thing), thing);
    wake.resolve();
  };
  if (initial !== undefined) add(initial);
  const unsubscribe = subscribe(add);
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
