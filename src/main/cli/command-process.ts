import { constants } from "node:os";
import type { Machine } from "#service";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/** What a command uses of the process that it runs in: Node's own, or what a test hands in for it. */
export interface CommandProcess {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Record<string, string | undefined>;
  /** The computer's time. */
  readonly machine: Machine;
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  /** Ends it at once. */
  exit(code: number): void;
}

/** The command's product: what another program may read. */
export function print(line: string, { stdout }: CommandProcess): void {
  stdout.write(`${line}\n`);
}

/** What is meant for the person at the terminal. */
export function printError(line: string, { stderr }: CommandProcess): void {
  stderr.write(`${line}\n`);
}

/** Ends quietly when the reader of our output goes away, as `sheaf validate FILE | head` does. */
export function endWithReader(io: CommandProcess): void {
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    io.exit(0);
  });
}

/** Ctrl+C reaches this process from the terminal and again from npm: what comes this close together is one signal. */
const sameSignalWithin = 200;

/**
 * Calls `stop` once, at the first signal that asks to end. A second one ends the process at once.
 * @returns a function that takes the handlers away again
 */
export function onStopSignal(stop: (signal: StopSignal) => void, io: CommandProcess): () => void {
  let first: number | undefined;
  const listener = (signal: StopSignal) => {
    if (first === undefined) {
      first = io.machine.monotonic();
      stop(signal);
    } else if (io.machine.monotonic() - first > sameSignalWithin) {
      io.exit(exitCodeOf(signal));
    }
  };
  for (const signal of stopSignals) io.on(signal, listener);
  return () => {
    for (const signal of stopSignals) io.off(signal, listener);
  };
}

/** The exit code that shells give to a process that a signal ended. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
