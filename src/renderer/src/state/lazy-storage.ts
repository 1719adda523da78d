import type { PersistStorage, StorageValue } from "zustand/middleware";

export interface LazyStorageOptions {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** How long it waits for more changes before it writes, in milliseconds; at most ten times as long. */
  readonly delay: number;
  /** Called after each write with whether there was room for it. */
  readonly onStored?: (isStored: boolean) => void;
}

/** Storage that writes some time after the last change, for texts that change with every key. */
export interface LazyStorage<State> {
  readonly storage: PersistStorage<State>;
  /** Writes at once what is waiting. */
  flush(): void;
}

/** What can't be read counts as not there; what has no room is not stored, and `onStored` reports it. */
export function createLazyStorage<State>({ storage, delay, onStored }: LazyStorageOptions): LazyStorage<State> {
  let waiting: { readonly name: string; readonly value: StorageValue<State> } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    clearTimeout(latest);
    latest = undefined;
    if (waiting === null) return;
    const { name, value } = waiting;
    waiting = null;
    try {
      storage.setItem(name, JSON.stringify(value));
      onStored?.(true);
    } catch {
      // Full: an earlier text must not come back in place of this one.
      storage.removeItem(name);
      onStored?.(false);
    }
  }

  // The page may be left, or ended, before the time is over.
  if (typeof document !== "undefined") {
    addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
  }
  return {
    flush,
    storage: {
      getItem(name) {
        try {
          return JSON.parse(storage.getItem(name) ?? "null");
        } catch {
          return null;
        }
      },
      setItem(name, value) {
        waiting = { name, value };
        clearTimeout(timer);
        timer = setTimeout(flush, delay);
        // Changes may come without a pause, as the words of an answer do.
        latest ??= setTimeout(flush, 10 * delay);
      },
      removeItem(name) {
        waiting = null;
        storage.removeItem(name);
      },
    },
  };
}
