import { nextTurn } from "#main/base";

/** Characters that a call reads before the other calls of its thread get their turn: some milliseconds of work. */
const sliceSize = 20_000;

/**
 * Does work that is made of steps, each of which yields how many characters it has read. After every slice the thread takes
 * up what else was asked of it, so that a small call never waits for the end of a large one. Rejects with the reason of the
 * signal.
 */
export async function runInSlices<T>(work: Generator<number, T>, signal?: AbortSignal): Promise<T> {
  let read = 0;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    read += step.value;
    if (read < sliceSize) continue;
    read = 0;
    await nextTurn();
    signal?.throwIfAborted();
  }
}
