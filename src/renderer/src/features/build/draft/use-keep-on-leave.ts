import { useEffect } from "react";
import type { DraftKeeper } from "./draft-keeper.ts";

/** Keeps the draft at once when the window is hidden or closed. */
export function useKeepOnLeave(keeper: DraftKeeper): void {
  useEffect(() => {
    const keep = () => void keeper.flush();
    const stop = new AbortController();
    window.addEventListener("pagehide", keep, { signal: stop.signal });
    document.addEventListener("visibilitychange", keep, { signal: stop.signal });
    return () => stop.abort();
  }, [keeper]);
}
