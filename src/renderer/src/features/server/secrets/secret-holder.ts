import { createStore, type StoreApi } from "zustand/vanilla";

/** How long a revealed value is shown, in milliseconds. */
export const shownFor = 30_000;

export type HolderState =
  | { readonly status: "hidden" }
  | { readonly status: "asking" }
  /** `until` is in Unix milliseconds. */
  | { readonly status: "shown"; readonly value: string; readonly until: number }
  | { readonly status: "failed"; readonly error: unknown };

/** Holds the value of a secret while it is shown, and no longer. */
export interface SecretHolder {
  readonly state: Pick<StoreApi<HolderState>, "getState" | "getInitialState" | "subscribe">;
  /** Asks for the value and shows it for half a minute. */
  show(): Promise<void>;
  /** Forgets it at once; one that is still on its way is not taken. */
  hide(): void;
}

const hidden: HolderState = { status: "hidden" };

export function createSecretHolder(read: () => Promise<string>, now: () => number = Date.now): SecretHolder {
  const state = createStore<HolderState>()(() => hidden);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  function hide(): void {
    asked += 1;
    clearTimeout(timer);
    state.setState(hidden, true);
  }

  return {
    state,
    hide,
    async show() {
      hide();
      const mine = asked;
      state.setState({ status: "asking" }, true);
      try {
        const value = await read();
        if (asked !== mine) return;
        state.setState({ status: "shown", value, until: now() + shownFor }, true);
        timer = setTimeout(hide, shownFor);
      } catch (error) {
        if (asked === mine) state.setState({ status: "failed", error }, true);
      }
    },
  };
}
