import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createAppender } from "../io/index.ts";
import type { Clock, Logger } from "../ports.ts";

/** Between two attempts to write to a disk that refuses (because it is full, say), in milliseconds. */
const retryDelay = 1_000;

/** A line that is on disk now, with what the caller said of it. */
export interface Appended<About> {
  readonly about: About;
  /** In bytes, without the line end. */
  readonly start: number;
  readonly length: number;
}

const abandoned = "The file was abandoned with lines that are not on disk.";

/** Appends lines to a file in the order in which they come; those that come during a write go out with the next. */
export interface LineAppender<About> {
  append(line: string, about: About): void;
  /** Bytes that are not on disk yet. */
  readonly queuedBytes: number;
  /** Resolves when all lines so far are on disk; rejects when that was given up. */
  drained(): Promise<void>;
  /** Writes what is queued, and closes. Answers with the size and the SHA-256 of the whole file. */
  close(): Promise<{ bytes: number; sha256: string }>;
  /** Closes without waiting for a disk that refuses: what is queued may be lost. */
  abandon(): Promise<void>;
}

interface AppenderParts<About> {
  readonly path: string;
  /** Bytes that are there already and stay; anything after them is cut off. */
  readonly startAt: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each write with its lines. */
  readonly onWritten: (lines: readonly Appended<About>[]) => void;
}

interface Queued<About> {
  readonly bytes: Buffer;
  readonly about: About;
}

/** Opens the file, or creates it. */
export async function openLineAppender<About>(parts: AppenderParts<About>): Promise<LineAppender<About>> {
  const { path, startAt, clock, logger, onWritten } = parts;
  await (await open(path, "a", 0o600)).close();
  const file = createAppender(path, startAt);
  const hash = createHash("sha256");
  const giveUp = new AbortController();
  let queue: Queued<About>[] = [];
  let queuedBytes = 0;
  let writing: Promise<void> | null = null;
  if (startAt > 0) for await (const chunk of createReadStream(path, { end: startAt - 1 })) hash.update(chunk);

  async function writeQueued(): Promise<void> {
    while (queue.length > 0 && !giveUp.signal.aborted) {
      const lines = queue;
      queue = [];
      const bytes = Buffer.concat(lines.map((line) => line.bytes));
      const first = await writeUntilDone(bytes);
      if (first === null) return;
      let start = first;
      hash.update(bytes);
      queuedBytes -= bytes.length;
      const appended = lines.map(({ bytes: line, about }) => {
        const at = start;
        start += line.length;
        return { about, start: at, length: line.length - 1 };
      });
      onWritten(appended);
    }
  }

  /** Where the bytes begin. A write that failed half way is done over in the same place. Null when given up. */
  async function writeUntilDone(bytes: Buffer): Promise<number | null> {
    for (;;) {
      try {
        return await file.append(bytes);
      } catch (error) {
        logger.error("Answers can't be written; trying again", { error: String(error) });
        const waited = await clock.sleep(retryDelay, giveUp.signal).then(
          () => true,
          () => false,
        );
        if (!waited) return null;
      }
    }
  }

  /** Once the code that runs has come to its end: what it appends until then is one write. */
  function startWriting(): void {
    writing ??= Promise.resolve()
      .then(writeQueued)
      .catch((error: unknown) => {
        logger.error("Answers can't be counted", { error: String(error) });
        giveUp.abort();
      })
      .finally(() => {
        writing = null;
        if (queue.length > 0 && !giveUp.signal.aborted) startWriting();
      });
  }

  async function drained(): Promise<void> {
    while (writing !== null) await writing;
    if (queuedBytes > 0) throw new Error(abandoned);
  }

  return {
    append(line, about) {
      if (giveUp.signal.aborted) throw new Error(abandoned);
      const bytes = Buffer.from(`${line}\n`);
      queue.push({ bytes, about });
      queuedBytes += bytes.length;
      startWriting();
    },
    get queuedBytes() {
      return queuedBytes;
    },
    drained,
    async close() {
      await drained();
      await file.close();
      return { bytes: file.size, sha256: hash.digest("hex") };
    },
    async abandon() {
      giveUp.abort();
      await drained().catch(() => {});
      await file.close();
    },
  };
}
