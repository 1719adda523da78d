import type { Worker } from "node:worker_threads";
import type { Machine } from "#main/base";

/** How often a thread is looked at, in milliseconds. */
export const lookMs = 1_000;

/** How long a thread may not even report its time, in milliseconds. */
const longestSilenceMs = 60_000;

export interface ThreadWatch {
  /** The thread has sent a message. */
  onMessage(): void;
  end(): void;
}

interface WatchOptions {
  readonly thread: Pick<Worker, "postMessage" | "cpuUsage">;
  readonly machine: Machine;
  /** The longest step, in milliseconds of the thread's own processor time. */
  limitMs(): number;
  /** Called once, when one step of the thread takes longer. */
  onStuck(): void;
}

/**
 * Watches a thread that is at work. Each look sends it a message, which it returns between two of its steps: one that returns
 * none is inside of a step. Its processor time counts, since a busy computer makes any step long by the clock. The clock counts
 * where the runtime does not report that time (before Node 24.6), or while a step of native code keeps it from reporting.
 */
export function watchThread({ thread, machine, limitMs, onStuck }: WatchOptions): ThreadWatch {
  let isOver = false;
  let cancel = () => {};
  /** The processor time when the step began, or a little later; null between two steps. */
  let began: number | null = null;
  let hasMessage = true;

  function end(): void {
    isOver = true;
    cancel();
  }
  function stop(): void {
    end();
    onStuck();
  }
  /** Null for a thread that starts, or that has ended. */
  async function readTime(): Promise<number | null> {
    if (!("cpuUsage" in thread)) return machine.monotonic();
    try {
      const { user, system } = await thread.cpuUsage();
      return (user + system) / 1_000;
    } catch {
      return null;
    }
  }
  async function look(): Promise<void> {
    thread.postMessage(null);
    cancel = machine.after(longestSilenceMs, stop);
    const time = await readTime();
    if (isOver) return;
    cancel();
    if (hasMessage) began = null;
    else if (began !== null && time !== null && time - began > limitMs()) return stop();
    began ??= time;
    hasMessage = false;
    wait();
  }
  function wait(): void {
    cancel = machine.after(lookMs, () => void look());
  }
  wait();
  return {
    onMessage: () => {
      hasMessage = true;
    },
    end,
  };
}
