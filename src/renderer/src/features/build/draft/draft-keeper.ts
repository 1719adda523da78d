import { createStore, type StoreApi } from "zustand/vanilla";

/** How long after the last change a draft is kept, in milliseconds. */
const keepDelay = 600;

/** Whether what is on screen has been kept. `at` is when that was, in Unix milliseconds. */
export type KeptState =
  | { readonly status: "kept"; readonly at: number }
  | { readonly status: "keeping" }
  | { readonly status: "failed"; readonly error: unknown };

/** Keeps a draft while it is edited: one save at a time, the latest state always last. */
export interface DraftKeeper {
  readonly state: Pick<StoreApi<KeptState>, "getState" | "getInitialState" | "subscribe">;
  /** Notes a change: it is kept as soon as there is a pause. */
  touch(): void;
  /** Keeps what is not kept yet, now. Never rejects: a failure is in the state. */
  flush(): Promise<void>;
  /** Forgets what is not kept yet. */
  stop(): void;
}

/**
 * @param save keeps the present state and answers when it was changed last, in Unix milliseconds
 * @param keptAt when the state that is there already was kept
 */
export function createDraftKeeper(save: () => Promise<number>, keptAt: number): DraftKeeper {
  const state = createStore<KeptState>()(() => ({ status: "kept", at: keptAt }));
  let dirty = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  async function keepAll(): Promise<void> {
    while (dirty) {
      dirty = false;
      state.setState({ status: "keeping" }, true);
      try {
        const at = await save();
        if (!dirty) state.setState({ status: "kept", at }, true);
      } catch (error) {
        dirty = true;
        state.setState({ status: "failed", error }, true);
        return;
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    running ??= keepAll().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    state,
    touch() {
      dirty = true;
      state.setState({ status: "keeping" }, true);
      clearTimeout(timer);
      timer = setTimeout(flush, keepDelay);
    },
    flush,
    stop() {
      dirty = false;
      clearTimeout(timer);
    },
  };
}
