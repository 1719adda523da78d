import { type CommandProcess, closingTime, onStopSignal } from "./command-process.ts";

/** How work that is paid for ends: at Ctrl+C, or with its first failure. */
export interface GentleStop {
  /** Aborted once nothing more is to be asked. */
  readonly stopped: AbortSignal;
  /** Runs a task unless it is stopped. What a failure leaves in flight is given up; after Ctrl+C it has ten seconds. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops listening for signals. */
  remove(): void;
}

export function stopGently(io: CommandProcess): GentleStop {
  const stopping = new AbortController();
  const ending = new AbortController();
  let cancelEnd = () => {};
  const removeHandlers = onStopSignal(() => {
    stopping.abort();
    cancelEnd = io.machine.after(closingTime, () => ending.abort(stopping.signal.reason));
  }, io);
  return {
    stopped: stopping.signal,
    async run(task) {
      stopping.signal.throwIfAborted();
      ending.signal.throwIfAborted();
      try {
        return await task(ending.signal);
      } catch (error) {
        if (!stopping.signal.aborted) ending.abort(error);
        throw error;
      }
    },
    remove() {
      cancelEnd();
      removeHandlers();
    },
  };
}
