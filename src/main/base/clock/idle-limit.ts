import type { Clock } from "../ports.ts";

/** Ends what waits too long for the next sign of life. */
export interface IdleLimit {
  /** Aborted with a TimeoutError when a wait took too long. */
  readonly signal: AbortSignal;
  /** Begins a wait, or begins it anew. */
  begin(): void;
  /** Ends the wait: the next one begins when something is awaited again. */
  end(): void;
  /** Aborts it after that time at the latest, also while signs of life come. */
  endWithin(milliseconds: number): void;
}

export function createIdleLimit(milliseconds: number, { after }: Pick<Clock, "after">): IdleLimit {
  const limit = new AbortController();
  let cancel = () => {};
  const abort = () => limit.abort(new DOMException("Nothing came for too long.", "TimeoutError"));
  return {
    signal: limit.signal,
    begin() {
      cancel();
      cancel = after(milliseconds, abort);
    },
    end: () => cancel(),
    endWithin: (most) => void after(most, abort),
  };
}

/** The same pieces. The limit is for the wait for each, and not for what its reader does with it. */
export async function* limitWaits<T>(pieces: AsyncIterable<T>, limit: IdleLimit): AsyncGenerator<T, void> {
  const waiting = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      limit.begin();
      const next = await waiting.next();
      limit.end();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    limit.end();
    await waiting.return?.();
  }
}
