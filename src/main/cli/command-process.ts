import { constants } from "node:os";
import type { Machine } from "#main/base";
import type { ServiceOptions } from "#main/service";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof stopSignals)[number];

/** The process that a command runs in, as far as it is used: Node's own, or a test's. */
export interface CommandProcess {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Record<string, string | undefined>;
  /** The computer's time. */
  readonly machine: Machine;
  /** Threads that its services share; default: each service has its own. */
  readonly threads?: Pick<ServiceOptions, "validation" | "judge" | "search">;
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  /** Ends it at once. */
  exit(code: number): void;
}

/** Prints the command's output, which another program may read. */
export function print(line: string, { stdout }: CommandProcess): void {
  stdout.write(`${line}\n`);
}

/** Prints a message to the person at the terminal. */
export function printError(line: string, { stderr }: Pick<CommandProcess, "stderr">): void {
  stderr.write(`${line}\n`);
}

/** Ends quietly when the reader of our output goes away, as `sheaf validate FILE | head` does. */
export function endWithReader(io: CommandProcess): void {
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    io.exit(0);
  });
}

/** How long a command that is stopped waits for calls in flight, in milliseconds. */
export const closingTime = 10_000;

/** Ctrl+C reaches this process from the terminal and again from npm: what comes this close together is one signal. */
const sameSignalWithin = 200;

/**
 * Calls `stop` once, at the first signal that asks to end. A second one ends the process at once.
 * @returns a function that removes the handlers
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
