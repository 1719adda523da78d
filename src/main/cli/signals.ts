import { constants } from "node:os";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/** Ctrl+C reaches this process from the terminal and again from npm: what comes this close together is one signal. */
const sameSignalWithin = 200;

/**
 * Calls `stop` once, at the first signal that asks to end. A second one ends the process at once.
 * @returns a function that takes the handlers away again
 */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  let first: number | undefined;
  const listener = (signal: StopSignal) => {
    if (first === undefined) {
      first = performance.now();
      stop(signal);
    } else if (performance.now() - first > sameSignalWithin) {
      process.exit(exitCodeOf(signal));
    }
  };
  for (const signal of stopSignals) process.on(signal, listener);
  return () => {
    for (const signal of stopSignals) process.off(signal, listener);
  };
}

/** The exit code that shells give to a process that a signal ended. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
