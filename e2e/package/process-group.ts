import { type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** A program and all that it starts: npx ends alone by a signal, and leaves the command that it runs. */
export interface ProcessGroup {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Sends a signal to all of them, and waits until all have ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program as a process group of its own. Windows has none: the signal reaches the program there. */
export function startGroup(program: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  const isGroup = process.platform !== "win32";
  const child = spawn(program, args, { ...options, detached: isGroup, stdio: ["ignore", "pipe", "pipe"] });
  // Its output closes with the last process that has it.
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    child,
    async end(signal) {
      if (child.pid === undefined) return;
      try {
        process.kill(isGroup ? -child.pid : child.pid, signal);
      } catch (error) {
        // All have ended.
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
      }
      await closed;
    },
  };
}
