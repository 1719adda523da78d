import type { Machine } from "#main/base";

/** Runs a task at once, and then at most once in so many milliseconds: what comes in between is one run at the end. */
export function createThrottle(machine: Machine, milliseconds: number, task: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let isPlanned = false;
  const run = () => {
    last = machine.monotonic();
    task();
  };
  return () => {
    if (isPlanned) return;
    const wait = last + milliseconds - machine.monotonic();
    if (wait <= 0) return run();
    isPlanned = true;
    machine.after(
      wait,
      () => {
        isPlanned = false;
        run();
      },
      { unref: true },
    );
  };
}
