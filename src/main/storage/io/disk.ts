import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger, Machine } from "#main/base";
import { writeFully } from "./bytes.ts";
import { createDiskLog } from "./disk-log.ts";

/** What the system can be short of, or refuse: never a verdict about the data. */
export type DiskFailureCode = (typeof diskFailureCodes)[number];

/** The last one does not pass: the folder is another process's now. */
export const diskFailureCodes = ["disk_full", "too_many_open_files", "disk_failed", "data_dir_lost"] as const;

export interface DiskFailure {
  readonly code: DiskFailureCode;
  /** What it is, and that it is waited for, in a sentence or two for people. */
  readonly message: string;
}

const tooMany: DiskFailure = {
  code: "too_many_open_files",
  message: "Too many open files: the system allows no more now. Sheaf goes on once some are closed.",
};
const noAccess: DiskFailure = {
  code: "disk_failed",
  message: "The folder can’t be written: the system denies access to it. Sheaf goes on once it is allowed.",
};

const failures: Readonly<Record<string, DiskFailure>> = {
  ENOSPC: { code: "disk_full", message: "Disk full: nothing can be stored. Sheaf goes on once there is room." },
  EDQUOT: {
    code: "disk_full",
    message: "Disk full: this user’s quota is used up. Sheaf goes on once there is room.",
  },
  EMFILE: tooMany,
  ENFILE: tooMany,
  EIO: {
    code: "disk_failed",
    message: "The disk fails: it reports an input/output error. Sheaf goes on once it works again.",
  },
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: {
    code: "disk_failed",
    message: "The folder can’t be written: its disk is read-only. Sheaf goes on once it can be written.",
  },
};

const codes: ReadonlySet<unknown> = new Set(diskFailureCodes);

/** Calls of the network: what they are denied has nothing to do with a disk. Without handles they fail like any other. */
const networkCalls: ReadonlySet<unknown> = new Set(["connect", "listen", "bind"]);

/**
 * What an error says of the disk; null for any other error. This is the one place that decides it: what it describes is
 * waited for, and never taken for a fault of the data. It knows errors of the system, those that have one as their cause,
 * and errors that have been given a code of `DiskFailureCode` already.
 */
export function describeDiskError(error: unknown): DiskFailure | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (isFailureCode(code)) return { code, message: error.message };
  const failure = code === undefined ? undefined : failures[code];
  if (failure !== undefined && (failure === tooMany || !networkCalls.has(syscall))) return failure;
  // A thread needs handles, too, and says so in its words alone.
  if (code === "ERR_WORKER_INIT_FAILED" && /\bE[MN]FILE\b/.test(error.message)) return tooMany;
  return describeDiskError(error.cause);
}

function isFailureCode(code: unknown): code is DiskFailureCode {
  return codes.has(code);
}

/** Whether the disk works, for all that depends on it: nothing that costs is sent meanwhile, and people are shown why. */
export interface Disk {
  /** What it fails with; null while it works. */
  readonly failure: DiskFailure | null;
  /** Records a failure that was met, until a trial each second shows that it has passed. Null for any other error. */
  report(error: unknown): DiskFailure | null;
  /** Sets what a part of the service fails with that makes attempts of its own; null once it has succeeded. */
  setFailure(part: object, failure: DiskFailure | null): void;
  /**
   * Repeats a task each second while the disk refuses it. Rejects with any other error of the task, with the signal's
   * reason, and once the service has closed. The first attempt is made before this returns.
   * @param usesReserve for what is short and must be written also where the disk is full
   */
  retry<T>(task: () => T | Promise<T>, options?: RetryOptions): Promise<T>;
  /** Calls the listener when `failure` has changed. The answer stops it. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
}

interface RetryOptions {
  readonly signal?: AbortSignal;
  readonly usesReserve?: boolean;
}

/** Between two attempts, in milliseconds. */
const retryDelay = 1_000;

/** Kept free for what must be written although the disk is full, in bytes. */
const reserveBytes = 1_000_000;

export interface DiskDeps {
  readonly machine: Machine;
  readonly logger: Logger;
  /** Where it is tried whether the disk works. */
  readonly dir: string;
  /** Whether room is kept there for what must be written on a full disk. */
  readonly hasReserve: boolean;
}

export function createDisk({ machine, logger, dir, hasReserve }: DiskDeps): Disk {
  const reserve = join(dir, "reserve");
  const trial = join(dir, "reserve.tmp");
  const failing = new Map<object, DiskFailure>();
  const log = createDiskLog({ machine, logger });
  const listeners = new Set<() => void>();
  /** The key in `failing` of what was reported by parts that make no further attempt. */
  const reported = {};
  let cancelTrial: (() => void) | null = null;
  let trying: Promise<void> = Promise.resolve();
  const closing = new AbortController();

  const failure = () => failing.values().next().value ?? null;

  function setFailure(part: object, next: DiskFailure | null): void {
    const before = failure();
    if (next === null) failing.delete(part);
    else failing.set(part, next);
    const after = failure();
    if (after?.message === before?.message) return;
    log.note(after);
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        logger.error("A listener failed", { error: String(error) });
      }
    }
  }

  function planTrial(): void {
    // Nothing is written to a folder that is another process's.
    if (closing.signal.aborted || [...failing.values()].some(({ code }) => code === "data_dir_lost")) return;
    cancelTrial ??= machine.after(retryDelay, () => void tryDisk(), { unref: true });
  }

  async function tryDisk(): Promise<void> {
    trying = writeTrial();
    try {
      await trying;
      cancelTrial = null;
      setFailure(reported, null);
    } catch (error) {
      cancelTrial = null;
      setFailure(reported, describeDiskError(error) ?? failure());
      planTrial();
    }
  }

  /** The disk works when it takes as much as the reserve has; a reserve that was used up is there again then. */
  async function writeTrial(): Promise<void> {
    try {
      const file = await open(trial, "w", 0o600);
      try {
        await writeFully(file, randomBytes(reserveBytes), 0);
        await file.datasync();
      } finally {
        await file.close();
      }
      if (hasReserve && !existsSync(reserve)) await rename(trial, reserve);
      else await rm(trial, { force: true });
    } catch (error) {
      await rm(trial, { force: true }).catch(() => {});
      throw error;
    }
  }

  function report(error: unknown): DiskFailure | null {
    const met = describeDiskError(error);
    if (met === null || closing.signal.aborted) return met;
    setFailure(reported, met);
    planTrial();
    return met;
  }

  if (hasReserve) {
    try {
      // Random, because some file systems keep no room for zeros.
      if (!existsSync(reserve) || statSync(reserve).size < reserveBytes) {
        writeFileSync(reserve, randomBytes(reserveBytes), { mode: 0o600 });
      }
    } catch (error) {
      rmSync(reserve, { force: true });
      report(error);
    }
  }

  return {
    get failure() {
      return failure();
    },
    report,
    setFailure,
    async retry(task, { signal, usesReserve = false } = {}) {
      const part = {};
      const end = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      let hasFreed = false;
      try {
        for (;;) {
          try {
            return await task();
          } catch (error) {
            const met = describeDiskError(error);
            if (met === null) throw error;
            setFailure(part, met);
            if (usesReserve && !hasFreed && met.code === "disk_full") {
              hasFreed = true;
              rmSync(reserve, { force: true });
              // It is made again once there is room.
              report(error);
            } else await machine.sleep(retryDelay, end);
          }
        }
      } finally {
        setFailure(part, null);
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      cancelTrial?.();
      await trying.catch(() => {});
      log.close();
    },
  };
}

/** Where nothing waits for a disk: what is read of a folder of another process, and tests of single parts. */
export const noDisk: Disk = {
  failure: null,
  report: describeDiskError,
  setFailure: () => {},
  retry: async (task) => task(),
  subscribe: () => () => {},
  close: async () => {},
};
