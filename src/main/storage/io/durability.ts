import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger, Machine } from "#main/base";
import { type Disk, describeDiskError, noDisk } from "./disk.ts";
import { isErrno, toError } from "./error.ts";

/**
 * When what was written is brought to the disk itself, so that it outlives a power cut: `second`: within a second, and before
 * it is answered where that was promised; `always`: also before a line of a batch counts as answered; `never`: when the system
 * likes.
 */
export type DurabilityMode = "always" | "second" | "never";

/**
 * What is on disk before what: no entry of a ledger before its answer, no name before its bytes, and no record before the file
 * that it names.
 */
const stages = ["data", "ledgers", "names", "records"] as const;

/** Something with changes that the disk may not have. */
export interface Syncable {
  readonly stage: (typeof stages)[number];
  /** Called when a sync begins, before anything of it is brought to the disk. */
  readonly begin?: () => void;
  /** Resolves when all changes that were made before are on the disk. */
  sync(): Promise<void>;
}

/** Whether this process may still write to its folder. Both throw where another process has taken it. */
export interface WriteGuard {
  /** Why not; null while it may. */
  readonly lost: Error | null;
  /** Looks at most once a second: called before each write. */
  assertHeld(): void;
  /** Looks now: called before a file gets its name, and before something is confirmed. */
  confirmHeld(): void;
}

/** A folder that no other process knows. */
const ownFolder: WriteGuard = { lost: null, assertHeld: () => {}, confirmHeld: () => {} };

/** How a file of a folder is written: whether it is brought to the disk, and whether this process may still write it. */
export interface WriteRules extends Pick<WriteGuard, "assertHeld" | "confirmHeld"> {
  /** Resolves when the bytes of a file are on the disk, so that a name or a record may tell of them. */
  syncFile(file: FileHandle): Promise<void>;
  /** Resolves when the name that a file has got is on the disk. Rejects when the disk refuses. */
  syncName(path: string): Promise<void>;
}

/** The one place that decides when what was written is brought to the disk. */
export interface Durability extends WriteRules {
  readonly mode: DurabilityMode;
  /** It has changes: they are on the disk within a second. */
  changed(target: Syncable): void;
  /** A file in the folder is new, or has another name. */
  renamed(path: string): void;
  /** Resolves when all that was changed before is on the disk: one sync serves all that wait. Rejects when the disk refuses. */
  synced(): Promise<void>;
  /**
   * Why nothing is stored: the disk refused the last sync, which is tried again each second, or the folder is another process's.
   * Null while all is well.
   */
  readonly failure: Error | null;
  /** Where writers say whether the disk takes what they write. */
  readonly disk: Disk;
  /** Syncs what is left, and ends. */
  close(): Promise<void>;
}

/** Between a change and its sync, and between two attempts, in milliseconds. */
const longestDelay = 1_000;

interface DurabilityDeps {
  readonly machine: Machine;
  readonly logger: Logger;
  readonly guard?: WriteGuard;
  readonly disk?: Disk;
}

export function createDurability(
  mode: DurabilityMode,
  { machine, logger, guard = ownFolder, disk = noDisk }: DurabilityDeps,
): Durability {
  const { assertHeld, confirmHeld } = guard;
  if (mode === "never") {
    return {
      ...noDurability,
      disk,
      assertHeld,
      confirmHeld,
      syncName: async () => confirmHeld(),
      synced: async () => confirmHeld(),
      get failure() {
        return guard.lost;
      },
    };
  }
  /** Under which its failures are known to the disk. */
  const part = {};
  /** In the order in which they changed. */
  const changed = new Set<Syncable>();
  const folders = new Map<string, Syncable>();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let forgetTimer: (() => void) | null = null;
  let failure: Error | null = null;

  function schedule(): void {
    forgetTimer ??= machine.after(
      longestDelay,
      () => {
        forgetTimer = null;
        synced().catch(() => {});
      },
      { unref: true },
    );
  }

  async function syncAll(): Promise<void> {
    const targets = [...changed];
    changed.clear();
    for (const target of targets) target.begin?.();
    try {
      for (const stage of stages) {
        await Promise.all(targets.filter((target) => target.stage === stage).map((target) => target.sync()));
      }
      if (failure !== null) logger.info("The disk takes what is written again");
      failure = null;
      disk.setFailure(part, null);
    } catch (error) {
      if (failure === null && describeDiskError(error) === null) {
        logger.error("What was written can't be brought to the disk", { error: String(error) });
      }
      failure = toError(error);
      disk.setFailure(part, describeDiskError(error) ?? { code: "disk_failed", message: unknownFailure });
      for (const target of targets) changed.add(target);
      schedule();
      throw error;
    }
  }

  function start(): Promise<void> {
    forgetTimer?.();
    forgetTimer = null;
    const sync = syncAll();
    running = sync.finally(() => {
      running = null;
    });
    running.catch(() => {});
    return sync;
  }

  function synced(): Promise<void> {
    if (running === null) return changed.size === 0 ? Promise.resolve() : start();
    // What changed after it began may not be part of it.
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return changed.size === 0 ? undefined : start();
      });
    return next;
  }

  function announce(target: Syncable): void {
    changed.add(target);
    schedule();
  }

  function renamed(path: string): void {
    const folder = dirname(path);
    const known = folders.get(folder) ?? createFolderTarget(folder);
    folders.set(folder, known);
    announce(known);
  }

  async function confirmSynced(): Promise<void> {
    await synced();
    confirmHeld();
  }

  return {
    mode,
    changed: announce,
    renamed,
    syncFile: (file) => file.datasync(),
    async syncName(path) {
      renamed(path);
      await confirmSynced();
    },
    synced: confirmSynced,
    assertHeld,
    confirmHeld,
    disk,
    get failure() {
      return guard.lost ?? failure;
    },
    async close() {
      await synced().catch(() => {});
      forgetTimer?.();
    },
  };
}

const unknownFailure = "The disk does not take what is written. Sheaf goes on once it does.";

/** For folders that are gone at the end, and where the system is to decide. */
export const noDurability: Durability = {
  mode: "never",
  changed: () => {},
  renamed: () => {},
  syncFile: async () => {},
  syncName: async () => {},
  synced: async () => {},
  assertHeld: ownFolder.assertHeld,
  confirmHeld: ownFolder.confirmHeld,
  failure: null,
  disk: noDisk,
  close: async () => {},
};

/** For what a command changes on its own, next to the process that holds the folder: it is on the disk when it is answered. */
export const commandWrites: WriteRules = {
  assertHeld: ownFolder.assertHeld,
  confirmHeld: ownFolder.confirmHeld,
  syncFile: (file) => file.datasync(),
  syncName: (path) => syncFolder(dirname(path)),
};

/** The names in a folder; with the first of them the name of the folder itself, which may be as new. */
function createFolderTarget(folder: string): Syncable {
  let isNamed = false;
  return {
    stage: "names",
    async sync() {
      await syncFolder(folder);
      if (isNamed) return;
      await syncFolder(dirname(folder)).catch((error: unknown) => {
        // What is around the data folder may be closed to this process.
        if (!isErrno(error, "EACCES") && !isErrno(error, "EPERM")) throw error;
      });
      isNamed = true;
    },
  };
}

/** Brings the names in a folder to the disk, where the system can do that: Windows can't, and needs no such step. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
