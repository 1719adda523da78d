import { createStore, type StoreApi } from "zustand/vanilla";
import type { Verification } from "#contract";

export type VerifyRunState =
  | { readonly status: "idle" }
  /** `since` is in Unix milliseconds. */
  | { readonly status: "running"; readonly since: number }
  | { readonly status: "failed"; readonly error: unknown };

/** The verification that is under way. It continues when the page is left. */
export interface VerifyRun {
  readonly state: Pick<StoreApi<VerifyRunState>, "getState" | "getInitialState" | "subscribe">;
  /** Starts one in place of the one that is under way. Null when it was cancelled or failed; `state` then has which. */
  start(check: (signal: AbortSignal) => Promise<Verification>): Promise<Verification | null>;
  /** Aborts the one that is under way, and clears the error of one that failed. */
  cancel(): void;
}

const idle: VerifyRunState = { status: "idle" };

export function createVerifyRun(now: () => number = Date.now): VerifyRun {
  const state = createStore<VerifyRunState>()(() => idle);
  let current: AbortController | null = null;

  function end(own: AbortController, next: VerifyRunState): boolean {
    if (current !== own) return false;
    current = null;
    state.setState(next, true);
    return true;
  }

  return {
    state,
    async start(check) {
      current?.abort();
      const own = new AbortController();
      current = own;
      state.setState({ status: "running", since: now() }, true);
      try {
        const verification = await check(own.signal);
        return end(own, idle) ? verification : null;
      } catch (error) {
        end(own, { status: "failed", error });
        return null;
      }
    },
    cancel() {
      current?.abort();
      current = null;
      state.setState(idle, true);
    },
  };
}

/** The one of this page. */
export const verifyRun = createVerifyRun();
