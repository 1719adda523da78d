import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { createQueue } from "../queue.ts";
import { writeFully } from "./bytes.ts";
import { describeDiskError } from "./disk.ts";
import { type Durability, noDurability } from "./durability.ts";
import { isErrno } from "./error.ts";

/** Appends to one file (lines of JSON, mostly), one piece after the other. */
export interface Appender {
  /** Bytes of the file that count: where the next piece goes. */
  readonly size: number;
  /**
   * Resolves with where the piece begins, once the operating system has all of it. Of a piece that fails nothing counts:
   * the next one takes its place.
   */
  append(bytes: Uint8Array): Promise<number>;
  /** Resolves when all that was appended before is on the disk itself. */
  sync(): Promise<void>;
  /** Awaits what is being written, and lets go of the file. The next piece opens it again. */
  close(): Promise<void>;
}

/** Bytes that are kept for another attempt; more of them wait for a sync first. */
const mostUnsynced = 8_000_000;

/**
 * An appender to a file of which `size` bytes count: whatever follows them (half a line of a process that ended) is cut off
 * with the first writing. A file of which nothing counts is made, with its folder; any other has to be there.
 */
export function createAppender(path: string, size = 0, durability: Durability = noDurability): Appender {
  const inTurn = createQueue();
  const unsynced = createUnsynced();
  let end = size;
  let file: FileHandle | null = null;

  async function openAtEnd(): Promise<FileHandle> {
    if (end === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const opened = await open(path, end === 0 ? "w" : "r+", 0o600);
    try {
      if (end > 0) await opened.truncate(end);
      else durability.renamed(path);
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async function letGo(): Promise<void> {
    const opened = file;
    file = null;
    await opened?.close();
  }

  async function sync(): Promise<void> {
    const upTo = end;
    const wasOpen = file !== null;
    try {
      if (unsynced.isDoubtful) await inTurn(writeAgain);
      const opened = file ?? (await open(path, "r+"));
      try {
        await opened.datasync();
      } finally {
        if (opened !== file) await opened.close();
      }
      unsynced.forget(upTo);
    } catch (error) {
      // It was removed: nothing of it is to be kept.
      if (isErrno(error, "ENOENT")) return unsynced.forget(end);
      unsynced.isDoubtful = true;
      throw error;
    } finally {
      // It was let go of before.
      if (!wasOpen) await inTurn(letGo);
    }
  }

  async function writeAgain(): Promise<void> {
    await letGo();
    durability.assertHeld();
    file = await open(path, "r+");
    for (const { start, bytes } of unsynced.pieces()) await writeFully(file, bytes, start);
  }

  const target = { stage: "data", sync } as const;
  return {
    get size() {
      return end;
    },
    async append(bytes) {
      if (unsynced.size > mostUnsynced) await durability.synced();
      return await inTurn(async () => {
        try {
          durability.assertHeld();
          file ??= await openAtEnd();
          await writeFully(file, bytes, end);
          durability.disk.setFailure(target, null);
        } catch (error) {
          durability.disk.setFailure(target, describeDiskError(error));
          await letGo().catch(() => {});
          throw error;
        }
        const start = end;
        end += bytes.length;
        if (durability.mode !== "never") {
          unsynced.add(start, bytes);
          durability.changed(target);
        }
        return start;
      });
    },
    sync,
    close: () =>
      inTurn(async () => {
        durability.disk.setFailure(target, null);
        await letGo();
      }),
  };
}

/** Appends while the caller waits: for few, short lines that must be there when the next thing happens. */
export interface SyncAppender {
  readonly size: number;
  /** Returns when the operating system has all of it. On failure nothing of it stays and this throws. */
  append(bytes: Uint8Array): void;
  /** Resolves when all that was appended before is on the disk itself. */
  sync(): Promise<void>;
  /** The file has another name now. */
  renamed(path: string): void;
  /** Awaits a sync that is under way, and lets go of the file. */
  close(): Promise<void>;
}

/**
 * Of the file `size` bytes count; what follows them is cut off. One of which nothing counts is made. Only where it is to be
 * synced (`isSynced`) is anything kept for another attempt.
 */
export function openSyncAppender(path: string, size: number, isSynced: boolean): SyncAppender {
  const unsynced = createUnsynced();
  let file = openSync(path, size === 0 ? "w" : "r+", 0o600);
  let end = size;
  let place = path;
  let syncing: Promise<void> = Promise.resolve();
  let isClosed = false;
  if (size > 0) ftruncateSync(file, size);

  function write(bytes: Uint8Array, start: number): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, start + done);
  }

  async function sync(): Promise<void> {
    if (isClosed) return await syncClosed();
    const upTo = end;
    try {
      if (unsynced.isDoubtful) {
        const doubted = file;
        file = openSync(place, "r+");
        closeSync(doubted);
        for (const { start, bytes } of unsynced.pieces()) write(bytes, start);
      }
      await dataSync(file);
      unsynced.forget(upTo);
    } catch (error) {
      unsynced.isDoubtful = true;
      throw error;
    }
  }

  /** What a sync refused before the file was closed. It may have been written to by another appender since. */
  async function syncClosed(): Promise<void> {
    const opened = await open(place, "r+").catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) return null;
      throw error;
    });
    try {
      await opened?.datasync();
    } finally {
      await opened?.close();
    }
  }

  return {
    get size() {
      return end;
    },
    append(bytes) {
      try {
        write(bytes, end);
      } catch (error) {
        ftruncateSync(file, end);
        throw error;
      }
      if (isSynced) unsynced.add(end, bytes);
      end += bytes.length;
    },
    sync() {
      // One after the other: a failed one opens the file anew.
      syncing = syncing.catch(() => {}).then(sync);
      return syncing;
    },
    renamed(to) {
      place = to;
    },
    async close() {
      await syncing.catch(() => {});
      isClosed = true;
      closeSync(file);
    },
  };
}

const dataSync = promisify((file: number, done: (error: Error | null) => void) => fdatasync(file, done));

/**
 * What was written since the last good sync. After a failed one the system may have dropped it although reading still shows it,
 * so that another sync proves nothing: it is written again, through a newly opened file, before that.
 */
function createUnsynced() {
  let pieces: { readonly start: number; readonly bytes: Uint8Array }[] = [];
  let size = 0;
  return {
    isDoubtful: false,
    get size() {
      return size;
    },
    pieces: (): readonly { readonly start: number; readonly bytes: Uint8Array }[] => pieces,
    add(start: number, bytes: Uint8Array): void {
      pieces.push({ start, bytes });
      size += bytes.length;
    },
    /** A good sync: all before `end` is on the disk. */
    forget(end: number): void {
      this.isDoubtful = false;
      pieces = pieces.filter(({ start }) => start >= end);
      size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    },
  };
}
