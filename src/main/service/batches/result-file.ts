import { rm } from "node:fs/promises";
import type { ResultLine } from "#contract";
import type { AnswerFile } from "../results/index.ts";
import type { BatchRecord } from "../store/index.ts";
import { type Appended, openLineAppender } from "./line-appender.ts";
import type { BatchParts } from "./parts.ts";

/** One of the two files of a batch, while the batch writes it. Its record comes with its first line. */
export interface ResultFile<About> {
  append(line: ResultLine, about: About): void;
  readonly queuedBytes: number;
  drained(): Promise<void>;
  /** Closes the file and completes its record. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes the file as it is. */
  abandon(): Promise<void>;
}

interface ResultFileParts<About> extends Pick<BatchParts, "store" | "clock" | "ids" | "logger"> {
  readonly batchId: string;
  readonly which: AnswerFile;
  /** Bytes that are there already and stay. */
  readonly startAt: number;
  readonly onWritten: (lines: readonly Appended<About>[]) => void;
}

/** The field of a batch that names the file. */
const idFields = { output: "outputFileId", error: "errorFileId" } as const;

export async function openResultFile<About>(parts: ResultFileParts<About>): Promise<ResultFile<About>> {
  const { store, clock, ids, logger, batchId, which, startAt, onWritten } = parts;
  const idField = idFields[which];
  const id = batch()[idField] ?? ids.create("file");
  const path = store.pathOf(id);

  function batch(): BatchRecord {
    const record = store.batches.get(batchId);
    if (record === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return record;
  }

  /** In memory only: after a restart the size is that of the file. */
  function holdSize(bytes: number): void {
    const record = store.files.get(id);
    if (record !== undefined) store.files.setWithoutJournal({ ...record, bytes });
  }

  function createRecord(): void {
    const filename = `${batchId}_${which}.jsonl`;
    const about = {
      filename,
      purpose: "batch_output",
      createdAt: clock.now(),
      expiresAt: null,
      faulty: false,
    } as const;
    store.files.put({ id, ...about, bytes: 0, sha256: null });
    store.batches.put({ ...batch(), [idField]: id });
  }

  async function remove(): Promise<void> {
    if (batch()[idField] !== null) store.batches.put({ ...batch(), [idField]: null });
    store.files.remove(id);
    await rm(path, { force: true });
  }

  holdSize(startAt);
  const appender = await openLineAppender<About>({
    path,
    startAt,
    clock,
    logger,
    onWritten(lines) {
      const last = lines.at(-1);
      if (last !== undefined) holdSize(last.start + last.length + 1);
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
      const content = await appender.close();
      const record = store.files.get(id);
      if (content.bytes > 0 && record !== undefined) store.files.put({ ...record, ...content });
      else await remove();
    },
  };
}
