import { rm } from "node:fs/promises";
import { makeTemporaryFolder } from "#main/storage";
import { type CommandProcess, exitCodeOf, onStopSignal } from "./command-process.ts";

/** Adds what a signal has to clean up before the process ends. */
export type OnStop = (cleanUp: () => Promise<void>) => void;

/** What is to be cleaned up, and whether a signal has come. */
interface Ending {
  readonly cleanUps: Set<() => Promise<void>>;
  hasBegun: boolean;
}

const endings = new WeakMap<CommandProcess, Ending>();

/**
 * Runs `work`. At a signal the process runs every function that `onStop` was given, also in calls around this one, and ends. The
 * result of the work is then ignored.
 */
export async function withCleanUp<T>(io: CommandProcess, work: (onStop: OnStop) => Promise<T>): Promise<T> {
  const outer = endings.get(io);
  const ending = outer ?? { cleanUps: new Set(), hasBegun: false };
  const own: (() => Promise<void>)[] = [];
  const removeHandlers = outer === undefined ? listen(ending, io) : () => {};
  try {
    return await work((cleanUp) => {
      own.push(cleanUp);
      ending.cleanUps.add(cleanUp);
    });
  } finally {
    if (ending.hasBegun) await new Promise<never>(() => {});
    for (const cleanUp of own) ending.cleanUps.delete(cleanUp);
    removeHandlers();
  }
}

function listen(ending: Ending, io: CommandProcess): () => void {
  endings.set(io, ending);
  const removeHandlers = onStopSignal((signal) => {
    ending.hasBegun = true;
    const exit = () => io.exit(exitCodeOf(signal));
    Promise.all([...ending.cleanUps].map((cleanUp) => cleanUp())).then(exit, exit);
  }, io);
  return () => {
    endings.delete(io);
    removeHandlers();
  };
}

/** The same with a temporary folder, which is removed at the end and at a signal. */
export async function withTemporaryFolder<T>(
  io: CommandProcess,
  work: (folder: string, onStop: OnStop) => Promise<T>,
): Promise<T> {
  return await withCleanUp(io, async (onStop) => {
    const folder = makeTemporaryFolder();
    // A task that is under way may write there meanwhile.
    const remove = async () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    onStop(remove);
    try {
      return await work(folder, onStop);
    } finally {
      await remove();
    }
  });
}
