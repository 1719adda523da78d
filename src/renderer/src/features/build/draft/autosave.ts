import { createStore, type StoreApi } from "zustand/vanilla";
import { isConflict } from "./draft-saver.ts";

/** How long after the last change a draft is kept, in milliseconds. */
const keepDelay = 600;

/**
 * Whether what is on screen has been kept. `at` is when that was, in Unix milliseconds. In a conflict with another
 * window, nothing more is saved until the user has decided.
 */
export type KeptState =
  | { readonly status: "kept"; readonly at: number }
  | { readonly status: "keeping" }
  | { readonly status: "failed"; readonly error: unknown }
  | { readonly status: "conflict" };

/** Keeps a draft while it is edited: one save at a time, the latest state always last. */
export interface DraftKeeper {
  readonly state: Pick<StoreApi<KeptState>, "getState" | "getInitialState" | "subscribe">;
  /** Notes a change: it is kept as soon as there is a pause. */
  touch(): void;
  /** Keeps what is not kept yet, now. Never rejects: a failure is in the state. */
  flush(): Promise<void>;
  /** Ends a conflict in favour of what is on screen: keeps it now. */
  overwrite(): Promise<void>;
  /** Notes that what is on screen is what was kept elsewhere at `at`, in Unix milliseconds. */
  settle(at: number): void;
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
        state.setState(isConflict(error) ? { status: "conflict" } : { status: "failed", error }, true);
        return;
      }
    }
  }

  function keepNow(): Promise<void> {
    clearTimeout(timer);
    running ??= keepAll().finally(() => {
      running = null;
    });
    return running;
  }

  async function flush(): Promise<void> {
    if (state.getState().status !== "conflict") await keepNow();
  }

  return {
    state,
    touch() {
      dirty = true;
      if (state.getState().status === "conflict") return;
      state.setState({ status: "keeping" }, true);
      clearTimeout(timer);
      timer = setTimeout(flush, keepDelay);
    },
    flush,
    async overwrite() {
      if (state.getState().status === "conflict") await keepNow();
    },
    settle(at) {
      dirty = false;
      clearTimeout(timer);
      state.setState({ status: "kept", at }, true);
    },
    stop() {
      dirty = false;
      clearTimeout(timer);
    },
  };
}
