export interface WatchParts<Thing, View> {
  /** Tells of every change; the answer stops it. */
  readonly subscribe: (listener: (thing: Thing) => void) => () => void;
  readonly idOf: (thing: Thing) => string;
  /** As the page is told, at the time when it is. */
  readonly toView: (thing: Thing) => View;
}

/**
 * Every change from now on of the things that `subscribe` tells of. A reader that is slow gets the latest of each thing,
 * not all that it missed. Ends, and stops listening, when the signal is aborted or the reader goes.
 */
export function watchChanges<Thing, View>(
  { subscribe, idOf, toView }: WatchParts<Thing, View>,
  signal: AbortSignal,
): AsyncGenerator<View> {
  const changed = new Map<string, Thing>();
  let wake = Promise.withResolvers<void>();
  const unsubscribe = subscribe((thing) => {
    changed.set(idOf(thing), thing);
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
        const things = [...changed.values()];
        changed.clear();
        for (const thing of things) yield toView(thing);
      }
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  })();
}
