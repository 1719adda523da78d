import type { Machine } from "#main/base";

/** Between two reports of how far something is, in milliseconds. */
const progressPeriod = 100;

/** Yields ten times a second while a work is under way and the signal is not aborted; rejects when the work fails. */
export async function* whilePending(
  work: Promise<unknown>,
  machine: Pick<Machine, "after">,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const isDone = work.then(() => true);
  // A failure after the signal was aborted is of no interest.
  isDone.catch(() => undefined);
  while (!signal.aborted) {
    const period = Promise.withResolvers<boolean>();
    const cancel = machine.after(progressPeriod, () => period.resolve(false));
    try {
      if (await Promise.race([isDone, period.promise])) return;
    } finally {
      cancel();
    }
    yield;
  }
}
