import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { WrittenLine } from "#contract";
import type { TrackedWork } from "#main/base";
import { nextTurn } from "#main/base";
import type { AnswerFile, BatchRecord, FileRecord } from "#main/storage";
import { createAppender, type Durability, noDurability, openFiles } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** One of the two files of a batch, while the batch writes it. Its record comes with its first line. */
export interface ResultFile<About> {
  append(line: WrittenLine, about: About): void;
  readonly queuedBytes: number;
  drained(): Promise<void>;
  /** Closes the file and completes its record. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes the file as it is. */
  abandon(): Promise<void>;
}

interface ResultFileDeps<About>
  extends Pick<BatchDeps, "store" | "watchExpiry" | "clock" | "machine" | "ids" | "logger"> {
  readonly batchId: string;
  readonly which: AnswerFile;
  /** Bytes that are there already and stay. */
  readonly startAt: number;
  readonly enter: (lines: readonly Appended<About>[]) => void;
  readonly onWritten: (lines: readonly Appended<About>[]) => void;
}

/** The field of a batch that names the file. */
const idFields = { output: "outputFileId", error: "errorFileId" } as const;

function toRecord(id: string, batch: BatchRecord, which: AnswerFile, createdAt: number): FileRecord {
  const { outputLifetime, connection, scope, vendor } = batch;
  return {
    id,
    filename: `${batch.id}_${which}.jsonl`,
    purpose: "batch_output",
    createdAt,
    expiresAt: outputLifetime === null ? null : createdAt + outputLifetime,
    faulty: false,
    connection,
    generated: false,
    scope,
    vendor,
    mimeType: null,
    bytes: 0,
    sha256: null,
  };
}

/**
 * Makes the files anew that a batch names and that are not there: the power went before their names, or the lines of their records, were on the
 * disk. What its ledger still has of them is found damaged then, or is asked again. An input that is gone is an empty one: none of its requests
 * is sent, and the batch ends.
 */
export async function restoreFiles(
  { store, watchExpiry, clock }: Pick<BatchDeps, "store" | "watchExpiry" | "clock">,
  batch: BatchRecord,
): Promise<void> {
  for (const which of ["output", "error"] as const) {
    const id = batch[idFields[which]];
    if (id === null) continue;
    if (store.files.get(id) === undefined) {
      const file = toRecord(id, batch, which, clock.now());
      store.files.put(file);
      watchExpiry(file);
    }
    await createMissing(id);
  }
  if (store.files.get(batch.inputFileId) !== undefined) await createMissing(batch.inputFileId);

  async function createMissing(id: string): Promise<void> {
    const path = store.pathOf(id);
    if (existsSync(path)) return;
    await (await openFiles.open(path, "a", 0o600)).close();
    store.durability.renamed(path);
  }
}

export async function openResultFile<About>(parts: ResultFileDeps<About>): Promise<ResultFile<About>> {
  const { store, watchExpiry, clock, machine, ids, logger, batchId, which, startAt, enter, onWritten } = parts;
  const idField = idFields[which];
  const id = batch()[idField] ?? ids.create("file");
  const path = store.pathOf(id);

  function batch(): BatchRecord {
    const record = store.batches.get(batchId);
    if (record === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return record;
  }

  /** In memory only: after a restart the size is that of the file. */
  function setSize(bytes: number): void {
    const record = store.files.get(id);
    if (record !== undefined) store.files.setWithoutJournal({ ...record, bytes });
  }

  function createRecord(): void {
    const file = toRecord(id, batch(), which, clock.now());
    store.files.put(file);
    watchExpiry(file);
    store.batches.put({ ...batch(), [idField]: id });
  }

  async function remove(): Promise<void> {
    if (batch()[idField] !== null) store.batches.put({ ...batch(), [idField]: null });
    store.files.remove(id);
    await rm(path, { force: true });
  }

  setSize(startAt);
  const appender = await openLineAppender<About>({
    path,
    durability: store.durability,
    startAt,
    clock,
    machine,
    logger,
    enter,
    onWritten(lines) {
      const last = lines.at(-1);
      if (last !== undefined) setSize(last.start + last.length + 1);
      onWritten(lines);
    },
  });

  return {
    append(line, about) {
      const text = JSON.stringify(line);
      if (batch()[idField] === null) createRecord();
      appender.append(text, about);
    },
    get queuedBytes() {
      return appender.queuedBytes;
    },
    drained: appender.drained,
    abandon: appender.abandon,
    async finish() {
      const bytes = await appender.close();
      const record = store.files.get(id);
      if (bytes > 0 && record !== undefined) store.files.put({ ...record, bytes });
      else await remove();
    },
  };
}

/** Between two attempts to write to a disk that refuses (because it is full, say), in milliseconds. */
const retryDelay = 1_000;

/** A line that is on disk now, with what the caller handed in with it. */
export interface Appended<About> {
  readonly about: About;
  /** In bytes, without the line end. */
  readonly start: number;
  readonly length: number;
  /** CRC-32 of the line with its line end. */
  readonly checksum: number;
}

const abandoned = "The file was abandoned with lines that are not on disk.";

/** Appends lines to a file in the order in which they come; those that come during a write go out with the next. */
interface LineAppender<About> {
  append(line: string, about: About): void;
  /** Bytes that are not on disk yet. */
  readonly queuedBytes: number;
  /** Resolves when all lines so far are on disk; rejects when that was given up. */
  drained(): Promise<void>;
  /** Writes what is queued, and closes when that is on the disk itself. Answers with the size of the file. */
  close(): Promise<number>;
  /** Closes without waiting for a disk that refuses: what is queued may be lost. */
  abandon(): Promise<void>;
}

interface AppenderDeps<About> extends Pick<BatchDeps, "clock" | "machine" | "logger"> {
  readonly path: string;
  readonly durability?: Durability;
  /** Bytes that are there already and stay; anything after them is cut off. */
  readonly startAt: number;
  /** Enters lines that were written in the ledger; one that throws is called again. */
  readonly enter: (lines: readonly Appended<About>[]) => void;
  /** Called with lines once they are entered. */
  readonly onWritten: (lines: readonly Appended<About>[]) => void;
}

interface Queued<About> {
  readonly bytes: Buffer;
  readonly checksum: number;
  readonly about: About;
}

/** Makes the file where there is none. Half a line that a process left is cut off now: there may be no other to take its place. */
async function openCut(path: string, end: number, { assertHeld }: Durability): Promise<void> {
  const file = await openFiles.open(path, "a", 0o600);
  try {
    if ((await file.stat()).size <= end) return;
    assertHeld();
    await file.truncate(end);
  } finally {
    await file.close();
  }
}

/** Opens the file, or creates it. */
export async function openLineAppender<About>(parts: AppenderDeps<About>): Promise<LineAppender<About>> {
  const { path, startAt, clock, machine, logger, enter, onWritten, durability = noDurability } = parts;
  await openCut(path, startAt, durability);
  const file = createAppender(path, startAt, durability);
  const giveUp = new AbortController();
  let queue: Queued<About>[] = [];
  let queuedBytes = 0;
  /** Of all that was ever queued. */
  let appendedBytes = 0;
  let writing: Promise<void> | null = null;
  /** The clock waits for answers that are on their way to the disk: what follows from them comes before what is due later. */
  let underWay: TrackedWork | null = null;

  async function writeQueued(): Promise<void> {
    if (giveUp.signal.aborted) return;
    const lines = queue;
    queue = [];
    const bytes = Buffer.concat(lines.map((line) => line.bytes));
    const appended = await writeUntilDone(bytes, lines);
    if (appended === null) return;
    queuedBytes -= bytes.length;
    onWritten(appended);
  }

  /** First the bytes, then their entries. A write that failed half way is done over in the same place. Null when given up. */
  async function writeUntilDone(bytes: Buffer, lines: readonly Queued<About>[]) {
    let appended: readonly Appended<About>[] | null = null;
    let isEntered = false;
    for (;;) {
      try {
        appended ??= locate(lines, await file.append(bytes));
        if (!isEntered) enter(appended);
        isEntered = true;
        if (durability.mode === "always") await durability.synced();
        return appended;
      } catch (error) {
        // What the disk refuses it says itself, once.
        if (durability.disk.report(error) === null) {
          logger.error("Answers can't be written; trying again", { error: String(error) });
        }
        const waited = await machine.sleep(retryDelay, giveUp.signal).then(
          () => true,
          () => false,
        );
        if (!waited) return null;
      }
    }
  }

  /** Once the event loop has had its turn: the answers that it finds there are one write. */
  function startWriting(): void {
    underWay ??= clock.track("answers on their way to the disk");
    writing ??= nextTurn()
      .then(writeQueued)
      .catch((error: unknown) => {
        logger.error("Answers can't be counted", { error: String(error) });
        giveUp.abort();
      })
      .finally(() => {
        writing = null;
        underWay?.progress();
        if (queue.length > 0 && !giveUp.signal.aborted) startWriting();
        else {
          underWay?.end();
          underWay = null;
        }
      });
  }

  /** Waits for what is queued by now, not for what comes meanwhile. */
  async function drained(): Promise<void> {
    const wanted = appendedBytes;
    const isThere = () => appendedBytes - queuedBytes >= wanted;
    while (writing !== null && !isThere()) await writing;
    if (!isThere()) throw new Error(abandoned);
  }

  return {
    append(line, about) {
      if (giveUp.signal.aborted) throw new Error(abandoned);
      const bytes = Buffer.from(`${line}\n`);
      queue.push({ bytes, checksum: crc32(bytes), about });
      queuedBytes += bytes.length;
      appendedBytes += bytes.length;
      startWriting();
    },
    get queuedBytes() {
      return queuedBytes;
    },
    drained,
    async close() {
      await drained();
      // Its bytes are on the disk before a record tells how many there are.
      if (file.size > 0) await durability.synced();
      await file.close();
      return file.size;
    },
    async abandon() {
      giveUp.abort();
      await writing;
      await file.close();
    },
  };
}

/** Where each of some lines is that were written together. */
function locate<About>(lines: readonly Queued<About>[], first: number): Appended<About>[] {
  let start = first;
  return lines.map(({ bytes, checksum, about }) => {
    const at = start;
    start += bytes.length;
    return { about, start: at, length: bytes.length - 1, checksum };
  });
}
