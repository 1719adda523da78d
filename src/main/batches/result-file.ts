import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { AnswerFile, BatchRecord, FileRecord } from "#main/storage";
import { createAppender, type Durability, openFiles } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** One of the two files of a batch, while the batch writes it. */
export interface ResultFile {
  /** Makes its record, where it has none: before its first line. */
  register(): void;
  /** Resolves with where the bytes begin. Of what fails nothing counts: the next bytes take its place. */
  write(bytes: Uint8Array): Promise<number>;
  /** Closes the file and completes its record. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes the file as it is. */
  close(): Promise<void>;
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

/** Opens the file behind its first `startAt` bytes: anything after them is cut off. */
export async function openResultFile(
  { store, watchExpiry, clock, ids }: Pick<BatchDeps, "store" | "watchExpiry" | "clock" | "ids">,
  batchId: string,
  which: AnswerFile,
  startAt: number,
): Promise<ResultFile> {
  const { durability } = store;
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

  async function remove(): Promise<void> {
    if (batch()[idField] !== null) store.batches.put({ ...batch(), [idField]: null });
    store.files.remove(id);
    await rm(path, { force: true });
  }

  setSize(startAt);
  await openCut(path, startAt, durability);
  const appender = createAppender(path, startAt, durability);

  return {
    register() {
      if (batch()[idField] !== null) return;
      const file = toRecord(id, batch(), which, clock.now());
      store.files.put(file);
      watchExpiry(file);
      store.batches.put({ ...batch(), [idField]: id });
    },
    async write(bytes) {
      const start = await appender.append(bytes);
      setSize(appender.size);
      return start;
    },
    async finish() {
      const bytes = appender.size;
      // Its bytes are on the disk before a record tells how many there are.
      if (bytes > 0) await durability.synced();
      await appender.close();
      const record = store.files.get(id);
      if (bytes > 0 && record !== undefined) store.files.put({ ...record, bytes });
      else await remove();
    },
    close: appender.close,
  };
}
