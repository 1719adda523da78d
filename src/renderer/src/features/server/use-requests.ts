import { useEffect, useRef, useState } from "react";
import type { RequestRow } from "#contract";
import { useConnection, useRpc } from "../../bridge/index.ts";
import { applyNews } from "./request-rows.ts";

export interface Requests {
  /** Newest first; null before they are there. */
  readonly rows: readonly RequestRow[] | null;
  readonly error: unknown;
  readonly isPaused: boolean;
  /** How many came since it was paused. */
  readonly waiting: number;
  readonly setPaused: (isPaused: boolean) => void;
}

/** The requests that the server answered, live. While paused, what comes waits. */
export function useRequests(): Requests {
  const rpc = useRpc();
  const { openings } = useConnection();
  const newest = useRef<readonly RequestRow[]>([]);
  const paused = useRef(false);
  const [rows, setRows] = useState<readonly RequestRow[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [waiting, setWaiting] = useState(0);
  const [isPaused, setIsPaused] = useState(false);

  // A stream ends with its connection: each opening begins another, and its first news is all that is kept.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of openings starts over.
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      for await (const news of await rpc.server.watchRequests(undefined, { signal: stop.signal })) {
        newest.current = applyNews(newest.current, news);
        if (paused.current && !news.cleared) setWaiting((count) => count + news.requests.length);
        else setRows(newest.current);
      }
    };
    setError(null);
    follow().catch((failure: unknown) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [rpc, openings]);

  return {
    rows,
    error,
    isPaused,
    waiting,
    setPaused(next) {
      paused.current = next;
      setIsPaused(next);
      if (next) return;
      setWaiting(0);
      setRows(newest.current);
    },
  };
}
