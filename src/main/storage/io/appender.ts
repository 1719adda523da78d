import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { type FileHandle, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { createQueue } from "#main/base";
import { writeFully } from "./bytes.ts";
import { describeDiskError } from "./disk.ts";
import { type Durability, noDurability } from "./durability.ts";
import { isErrno } from "./error.ts";
import { openFiles } from "./open-files.ts";

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
  /** Kept open between two pieces, until another file needs its place. */
  let file: FileHandle | null = null;
  let syncing: Promise<void> = Promise.resolve();
  const onNeeded = () => void inTurn(letGo).catch(() => {});

  async function openAtEnd(): Promise<FileHandle> {
    if (end === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const opened = await openFiles.open(path, end === 0 ? "w" : "r+", 0o600, onNeeded);
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
    await syncing.catch(() => {});
    await opened?.close();
  }

  async function sync(): Promise<void> {
    const upTo = end;
    const wasOpen = file !== null;
    try {
      if (unsynced.isDoubtful) await inTurn(writeAgain);
      const opened = file ?? (await openFiles.open(path, "r+"));
      try {
        syncing = opened.datasync();
        await syncing;
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
    file = await openFiles.open(path, "r+", undefined, onNeeded);
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
  /** Whether what was appended is there under its name: false once someone has removed, replaced or cut the file. */
  isInPlace(): boolean;
  /** Awaits a sync that is under way, and lets go of the file. */
  close(): Promise<void>;
}

export interface SyncAppenderOptions {
  /** Whether it is synced: only then is anything kept for another attempt. */
  readonly isSynced: boolean;
  /**
   * True for a file of which there are many: it is closed when another needs its place, and opened again by its path. One that
   * is not there any more then was removed, and nothing of it is to be kept.
   */
  readonly mayClose?: boolean;
}

/** Of the file `size` bytes count; what follows them is cut off. One of which nothing counts is made. */
export function openSyncAppender(
  path: string,
  size: number,
  { isSynced, mayClose = false }: SyncAppenderOptions,
): SyncAppender {
  const unsynced = createUnsynced();
  let file: { readonly number: number; readonly close: () => void } | null = null;
  let end = size;
  let place = path;
  let syncing: Promise<void> = Promise.resolve();
  /** Whether the file itself is being synced: then it must not be closed. */
  let isSyncing = false;
  let isClosed = false;
  /** Whether bytes of a piece that failed may stand behind those that count. */
  let hasRest = false;

  function openFile(flags: string): NonNullable<typeof file> {
    const giveBack = mayClose ? openFiles.take(onNeeded) : () => {};
    try {
      const number = openSync(place, flags, 0o600);
      const close = () => {
        closeSync(number);
        giveBack();
      };
      return { number, close };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  function opened(): NonNullable<typeof file> {
    file ??= openFile("r+");
    return file;
  }

  function letGo(): void {
    file?.close();
    file = null;
  }

  function onNeeded(): void {
    if (isSyncing) void syncing.catch(() => {}).then(onNeeded);
    else letGo();
  }

  function write(bytes: Uint8Array, start: number): void {
    const { number } = opened();
    for (let done = 0; done < bytes.length; ) done += writeSync(number, bytes, done, bytes.length - done, start + done);
  }

  /** Cuts off what does not count. */
  function cut(): void {
    ftruncateSync(opened().number, end);
    hasRest = false;
  }

  async function sync(): Promise<void> {
    if (isClosed) return await syncAlone();
    const upTo = end;
    try {
      if (unsynced.isDoubtful) {
        // Before another is opened, which may need the place of this one.
        letGo();
        file = openFile("r+");
        for (const { start, bytes } of unsynced.pieces()) write(bytes, start);
      }
      if (file === null && mayClose) await syncAlone();
      else {
        isSyncing = true;
        await dataSync(opened().number);
      }
      unsynced.forget(upTo);
    } catch (error) {
      if (mayClose && isErrno(error, "ENOENT")) return unsynced.forget(end);
      unsynced.isDoubtful = true;
      throw error;
    } finally {
      isSyncing = false;
    }
  }

  /**
   * Where it is not open, and once it is closed, when another appender may have written to it. Many may be synced at a time:
   * each waits for a place. Of one that was removed nothing is left to sync.
   */
  async function syncAlone(): Promise<void> {
    const alone = await openFiles.open(place, "r+").catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) return null;
      throw error;
    });
    try {
      await alone?.datasync();
    } finally {
      await alone?.close();
    }
  }

  file = openFile(size === 0 ? "w" : "r+");
  if (size > 0) ftruncateSync(file.number, size);

  return {
    get size() {
      return end;
    },
    append(bytes) {
      try {
        if (hasRest) cut();
        write(bytes, end);
      } catch (error) {
        hasRest = true;
        try {
          cut();
        } catch {
          // Before the next piece, then.
        }
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
    isInPlace() {
      const found = statSync(place, { throwIfNoEntry: false });
      // Not by its volume, too: on Windows some versions of Node tell another one of a path than of an open file.
      return found?.ino === fstatSync(opened().number).ino && found.size >= end;
    },
    close() {
      // In turn with the syncs: one that is asked for meanwhile finds the file closed.
      syncing = syncing
        .catch(() => {})
        .then(() => {
          isClosed = true;
          letGo();
        });
      return syncing;
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
