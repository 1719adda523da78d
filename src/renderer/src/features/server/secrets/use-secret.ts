import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { SecretName } from "#contract";
import { useRpc } from "../../../bridge/index.ts";
import { createSecretHolder, type HolderState } from "./secret-holder.ts";

export interface Secret {
  readonly state: HolderState;
  readonly show: () => void;
  readonly hide: () => void;
  /** Gets the value for the clipboard; it is not held here. */
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
