import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SecretName } from "#contract";
import { useRpc } from "../../bridge/index.ts";

export interface Secret {
  readonly state: HolderState;
  readonly show: () => void;
  readonly hide: () => void;
  /** Gets the value for the clipboard; it is not stored here. */
  readonly read: () => Promise<string>;
}

/**
 * A secret of the server that can be shown for half a minute. Its value is nowhere but in this component's memory, and
 * goes when the component does or the window is left. Give the component a new key when there is a new secret.
 */
export function useSecret(name: SecretName): Secret {
  const rpc = useRpc();
  const [read] = useState(() => async () => (await rpc.server.reveal({ name })).value);
  const [holder] = useState(() => createSecretHolder(read));
  const state = useStore(holder.state);
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("visibilitychange", () => document.hidden && holder.hide(), { signal: stop.signal });
    return () => {
      stop.abort();
      holder.hide();
    };
  }, [holder]);
  return { state, show: () => void holder.show(), hide: holder.hide, read };
}

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
  /** Clears it at once; a value that arrives later is ignored. */
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

interface SecretWords {
  readonly label: string;
  readonly noun: string;
  /** Shown while there is none. */
  readonly none: string;
  /** What rotating it breaks. */
  readonly loss: string;
}

/** How the secrets of the server are spoken of. */
export const secretWords: Record<SecretName, SecretWords> = {
  api_key: {
    label: "Key",
    noun: "key",
    none: "Made when the server is first turned on",
    loss: "Programs that use it are refused (401) until they are given the new one.",
  },
  mcp_token: {
    label: "Token",
    noun: "token",
    none: "Made when the endpoint is first turned on",
    loss: "MCP clients that use it are refused (401) until the new one is in their settings.",
  },
};
