import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { createQueue } from "../queue.ts";
import { writeFully } from "./bytes.ts";

/** Appends to one file (lines of JSON, mostly), one piece after the other. */
export interface Appender {
  /** Bytes of the file that count: where the next piece goes. */
  readonly size: number;
  /**
   * Resolves with where the piece begins, once the operating system has all of it. Of a piece that fails nothing counts:
   * the next one takes its place.
   */
  append(bytes: Uint8Array): Promise<number>;
  /** Awaits what is being written, and lets go of the file. The next piece opens it again. */
  close(): Promise<void>;
}

/**
 * An appender to a file of which `size` bytes count: whatever follows them (half a line of a process that ended) is cut off
 * with the first writing. A file of which nothing counts is made, with its folder; any other has to be there.
 */
export function createAppender(path: string, size = 0): Appender {
  const inTurn = createQueue();
  let end = size;
  let file: FileHandle | null = null;

  async function openAtEnd(): Promise<FileHandle> {
    if (end === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const opened = await open(path, end === 0 ? "w" : "r+", 0o600);
    try {
      if (end > 0) await opened.truncate(end);
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

  return {
    get size() {
      return end;
    },
    append: (bytes) =>
      inTurn(async () => {
        try {
          file ??= await openAtEnd();
          await writeFully(file, bytes, end);
        } catch (error) {
          await letGo().catch(() => {});
          throw error;
        }
        const start = end;
        end += bytes.length;
        return start;
      }),
    close: () => inTurn(letGo),
  };
}

/** Appends to a new file while the caller waits: for few, short lines that must be there when the next thing happens. */
export interface SyncAppender {
  /** Returns when the operating system has all of it. On failure nothing of it stays and this throws. */
  append(bytes: Uint8Array): void;
  /** Returns when what was appended is on the disk itself. */
  flush(): void;
  close(): void;
}

export function openSyncAppender(path: string): SyncAppender {
  const file = openSync(path, "w", 0o600);
  let end = 0;
  return {
    append(bytes) {
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, end + done);
        end += bytes.length;
      } catch (error) {
        ftruncateSync(file, end);
        throw error;
      }
    },
    flush: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}
