import { useEffect } from "react";
import type { DraftKeeper } from "./autosave.ts";

/** Keeps the draft at once when the window is hidden or closed. What can't be kept is not left without a question. */
export function useKeepOnLeave(keeper: DraftKeeper): void {
  useEffect(() => {
    const keep = () => void keeper.flush();
    const ask = (event: BeforeUnloadEvent) => {
      if (keeper.state.getState().status === "conflict") event.preventDefault();
    };
    const stop = new AbortController();
    window.addEventListener("beforeunload", ask, { signal: stop.signal });
    window.addEventListener("pagehide", keep, { signal: stop.signal });
    document.addEventListener("visibilitychange", keep, { signal: stop.signal });
    return () => stop.abort();
  }, [keeper]);
}
