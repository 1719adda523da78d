/** Holds parts back so that no more tokens are queued at a service than it takes. */
export interface QueueRoom {
  /** Resolves when there is room, in the order of asking, and takes it; a part that is larger than the room goes alone. */
  take(tokens: number, signal: AbortSignal): Promise<void>;
  /** Of a part that is there already: takes the room, whether there is any or not. */
  takeAnyway(tokens: number): void;
  free(tokens: number): void;
}

/** `most` tokens at a time; null for a service that does not limit them. */
export function createQueueRoom(most: number | null): QueueRoom {
  let used = 0;
  const queue: { readonly tokens: number; readonly go: () => void }[] = [];

  function letIn(): void {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const fits = most === null || used === 0 || used + first.tokens <= most;
      if (!fits) return;
      used += first.tokens;
      queue.shift();
      first.go();
    }
  }

  return {
    async take(tokens, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry = { tokens, go: resolve };
      const giveUp = () => {
        const at = queue.indexOf(entry);
        if (at >= 0) queue.splice(at, 1);
        letIn();
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      queue.push(entry);
      letIn();
      await promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
    takeAnyway(tokens) {
      used += tokens;
    },
    free(tokens) {
      used -= tokens;
      letIn();
    },
  };
}
