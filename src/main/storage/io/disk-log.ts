import type { Logger, Machine } from "#main/base";

/** Between two lines of the log, in milliseconds. */
const leastPause = 60_000;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Logs when the disk refuses, and when it works again. */
export interface DiskLog {
  /** What the disk fails with now; null while it works. */
  note(failure: Refusal | null): void;
  /** Writes what is held back. */
  close(): void;
}

/**
 * Logs at most one line a minute: the first refusal at once, later changes when the minute is over. A nearly full disk
 * accepts small files and refuses larger ones, and so changes every second.
 */
export function createDiskLog({ machine, logger }: { readonly machine: Machine; readonly logger: Logger }): DiskLog {
  let now: Refusal | null = null;
  let logged: Refusal | null = null;
  let loggedAt = Number.NEGATIVE_INFINITY;
  /** How often it has changed since the last line. */
  let changes = 0;
  let cancelTimer: (() => void) | null = null;

  function write(): void {
    cancelTimer?.();
    cancelTimer = null;
    if (now?.message === logged?.message) return;
    // A warning, so that logs which show the refusal show its end, too.
    const turns = changes > 1 && { changes };
    if (now === null) logger.warn("The disk works again", { ...turns });
    else logger.error("The disk refuses", { code: now.code, error: now.message, ...turns });
    logged = now;
    loggedAt = machine.monotonic();
    changes = 0;
  }

  return {
    note(failure) {
      now = failure;
      changes += 1;
      const wait = loggedAt + leastPause - machine.monotonic();
      if (wait <= 0) write();
      else cancelTimer ??= machine.after(wait, write, { unref: true });
    },
    close: write,
  };
}
