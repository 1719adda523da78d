/** Lets creates at one address through, but while it is not known whether another one made a batch. */
export interface CreateGate {
  /** Resolves when no create of another owner is unsure; rejects with the signal's reason. `onWait` is called before it waits. */
  enter(owner: string, signal: AbortSignal, onWait: () => void): Promise<void>;
  /** The owner's create is unsure. */
  hold(owner: string): void;
  /** It is no longer, or nobody looks for it any more. */
  release(owner: string): void;
}

/** One gate, for all connections to an address. */
export function createGate(): CreateGate {
  const holders = new Set<string>();
  let changed = Promise.withResolvers<void>();
  const isHeld = (owner: string) => holders.size > (holders.has(owner) ? 1 : 0);

  return {
    async enter(owner, signal, onWait) {
      if (isHeld(owner)) onWait();
      while (isHeld(owner)) {
        const aborted = Promise.withResolvers<never>();
        const giveUp = () => aborted.reject(signal.reason);
        signal.addEventListener("abort", giveUp, { once: true });
        try {
          signal.throwIfAborted();
          await Promise.race([changed.promise, aborted.promise]);
        } finally {
          signal.removeEventListener("abort", giveUp);
        }
      }
    },
    hold: (owner) => void holders.add(owner),
    release(owner) {
      if (!holders.delete(owner)) return;
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}

/** The gate of each address. */
export function createGates(): (address: string) => CreateGate {
  const gates = new Map<string, CreateGate>();
  return (address) => {
    const { href } = new URL(address);
    const place = href.replace(/\/+$/, "");
    const gate = gates.get(place) ?? createGate();
    gates.set(place, gate);
    return gate;
  };
}
