/** How long to wait before asking again after the stream broke while the connection held, in milliseconds. */
const pause = 1_000;

export interface Followed<T> {
  readonly open: () => Promise<AsyncIterable<T>>;
  /** Called each time that a stream begins: fetches what may have changed while there was none. */
  readonly onOpen: () => Promise<unknown>;
  readonly onEvent: (event: T) => void;
}

/** Follows a stream until the signal is aborted; after a break it asks for another. */
export async function follow<T>({ open, onOpen, onEvent }: Followed<T>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await open();
      await onOpen();
      for await (const event of events) onEvent(event);
    } catch {
      // The connection shows in the frame; here there is only to try again.
    }
    await wait(pause, signal);
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
