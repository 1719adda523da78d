import { readFile, stat } from "node:fs/promises";
import { type Appender, createAppender, isErrno } from "../io/index.ts";
import type { Logger, Machine } from "../ports.ts";

/** A line as a number of 32 bits and its time as a float of 32 bits, both with the lowest byte first. */
const entryBytes = 8;
/** Between two writes, in milliseconds: each costs as much as some lines. What a killed process has not written is not known. */
const writeInterval = 200;

/** In place of the time of a line whose answer was not asked for, but taken from another line. */
export const reusedTime = -1;

/** How long a line took from its request to its answer; or `reusedTime`. */
export interface Timing {
  readonly line: number;
  readonly milliseconds: number;
}

/**
 * The times of a batch's lines, in a file next to its results: those are for the user to take away, in the form that the
 * interface document gives them, and have no place for it.
 */
export interface Timings {
  /** Puts times down. What can't be written is left out: a batch does not wait for it. */
  append(timings: readonly Timing[]): void;
  /** Awaits what is being written. */
  close(): Promise<void>;
}

/** Continues behind the file's last whole entry; it is made with the first time. */
export function openTimings(path: string, { machine, logger }: { machine: Machine; logger: Logger }): Timings {
  let opening: Promise<Appender> | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  let hasFailed = false;
  let waiting: Timing[] = [];
  let cancelTimer: (() => void) | null = null;

  async function openAtEnd(): Promise<Appender> {
    const size = await stat(path).then(
      (found) => found.size,
      (error: unknown) => {
        if (isErrno(error, "ENOENT")) return 0;
        throw error;
      },
    );
    return createAppender(path, size - (size % entryBytes));
  }

  async function write(bytes: Buffer): Promise<void> {
    try {
      opening ??= openAtEnd();
      await (await opening).append(bytes);
    } catch (error) {
      if (!hasFailed) logger.warn("The times of answers can't be written", { error: String(error) });
      hasFailed = true;
    }
  }

  function writeWaiting(): void {
    cancelTimer?.();
    cancelTimer = null;
    if (waiting.length > 0) writing = write(encode(waiting));
    waiting = [];
  }

  return {
    append(timings) {
      if (timings.length === 0) return;
      waiting.push(...timings);
      cancelTimer ??= machine.after(writeInterval, writeWaiting);
    },
    async close() {
      writeWaiting();
      await writing;
      await opening?.then((file) => file.close()).catch(() => {});
    },
  };
}

/** The times of lines 1 to `total`, in milliseconds or `reusedTime`; NaN for one that is not known. */
export async function readTimings(path: string, total: number): Promise<Float32Array> {
  const times = new Float32Array(total).fill(Number.NaN);
  // Whatever is wrong with the file, the results can be read without it.
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
    const line = bytes.readUInt32LE(at);
    const milliseconds = bytes.readFloatLE(at + 4);
    if (line >= 1 && line <= total && (milliseconds >= 0 || milliseconds === reusedTime))
      times[line - 1] = milliseconds;
  }
  return times;
}

function encode(timings: readonly Timing[]): Buffer {
  const bytes = Buffer.alloc(timings.length * entryBytes);
  timings.forEach(({ line, milliseconds }, index) => {
    bytes.writeUInt32LE(line, index * entryBytes);
    bytes.writeFloatLE(milliseconds, index * entryBytes + 4);
  });
  return bytes;
}
