import { createHash } from "node:crypto";
import { type FileHandle, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { type FilePurpose, finalStatuses, formatBytes } from "#contract";
import { type Clock, type Ids, ServiceError, shorten } from "#main/base";
import type { FileLimits } from "#main/requests";
import type { BatchRecord, FileRecord, Store } from "#main/storage";
import { filesOf, isDeleted, isErrno, openFiles, writeFully } from "#main/storage";
import { belongsTo, defaultOwner, type Owner } from "../owner.ts";
import { checkWhile, createContentCheck, isSoundContent } from "./check-content.ts";
import { createAnswerFileReader, DamagedAnswersError } from "./read-answer-file.ts";

/** Bytes that are on disk but are no file yet: in a multipart body the purpose may come after the content. */
export interface PendingFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Makes it a file. It is removed after `lifetime` milliseconds; never where there is none. */
  store(about: {
    filename: string;
    purpose: FilePurpose;
    lifetime?: number | null;
    mimeType?: string | null;
  }): Promise<FileRecord>;
  discard(): Promise<void>;
}

export interface Files {
  /**
   * Streams the bytes to disk, hashed on the way. Fails with `file_too_large` at the limit, and nothing is left then; what
   * is for the batches of a `connection` has no limit here: its own are kept by cutting it into parts. `isGenerated`: the app
   * made it, of a table or for a retry, or a vendor's client sent it as a list, and it may be larger than an upload.
   */
  receive(
    content: AsyncIterable<Uint8Array>,
    options?: {
      readonly connection?: string | null;
      readonly isGenerated?: boolean;
      /** The default scope's clients of the compatible API by default. */
      readonly owner?: Owner;
    },
  ): Promise<PendingFile>;
  /** With an owner, of its own files alone. */
  get(id: string, owner?: Owner): FileRecord | undefined;
  /** Newest first; with an owner, its own alone. */
  list(owner?: Owner): readonly FileRecord[];
  /**
   * The content, `[start, end)` of it; what is on disk by now for a file that is still being written. Rejects with
   * `not_found` before the first byte when not all of it is on disk any more, and with `file_damaged` where the bytes are known
   * not to be those that were stored; the stream of a large file fails at its end then.
   */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** How many bytes `read` has of it: fewer than are on disk where errors were followed by answers. */
  sizeOf(file: FileRecord): Promise<number>;
  /** Whether its bytes are those that were stored. */
  isSound(id: string): Promise<boolean>;
  /** Removes it, from disk too. Fails with `file_in_use` while a batch that has not ended, or a deleted one, needs it. */
  remove(id: string): Promise<void>;
}

interface FilesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: FileLimits;
  /** Of files that the app made. */
  readonly generatedLimits: FileLimits;
  /** Enters in the ledger of a batch what its answer files have besides. */
  readonly completeLedger: (batch: BatchRecord) => Promise<unknown>;
  /** Called with each new file. */
  readonly onStored: (file: FileRecord) => void;
}

/** The files of the service: uploads, and what batches write. */
export function createFiles(parts: FilesDeps): Files {
  const { store, clock, ids, limits, generatedLimits, onStored } = parts;
  const isSoundSince = createContentCheck();
  const answerFiles = createAnswerFileReader(store, parts.completeLedger);

  /** What a failed upload is answered with: on a full disk a status of its own. */
  function refuseUpload(error: unknown): unknown {
    const failure = store.disk.report(error);
    if (failure === null) return error;
    const message = `${failure.message} Nothing of the upload is kept: send it again then.`;
    return new ServiceError(failure.code, message, "file", failure.code === "disk_full" ? 507 : 503);
  }

  function find(id: string): FileRecord {
    const record = store.files.get(id);
    if (record === undefined) throw new ServiceError("not_found", `No such file: ${shorten(id)}.`, "file_id");
    return record;
  }

  return {
    async receive(
      content,
      { connection = null, isGenerated: generated = false, owner: { scope, vendor } = defaultOwner } = {},
    ) {
      const limit = (generated ? generatedLimits : limits).bytes;
      const id = ids.create("file");
      const path = store.pathOf(id);
      // Under its own name a file is whole: a part is what an end in the middle of an upload left.
      const part = `${path}.part`;
      const { durability } = store;
      durability.assertHeld();
      const received = await receive(
        part,
        content,
        connection === null ? limit : Number.POSITIVE_INFINITY,
        durability.syncFile,
      ).catch((error: unknown) => {
        throw refuseUpload(error);
      });
      return {
        ...received,
        async store({ filename, purpose, lifetime = null, mimeType = null }) {
          const createdAt = clock.now();
          const expiresAt = lifetime === null ? null : createdAt + lifetime;
          const about = {
            filename,
            purpose,
            createdAt,
            expiresAt,
            faulty: false,
            connection,
            generated,
            scope,
            vendor,
            mimeType,
          };
          const record: FileRecord = { id, ...about, ...received };
          try {
            durability.confirmHeld();
            await rename(part, path);
            durability.renamed(path);
            store.files.put(record);
            await store.synced();
          } catch (error) {
            // What is refused is sent again: there must not be two of it then.
            store.disk.retry(() => store.files.remove(id)).catch(() => {});
            await rm(path, { force: true });
            throw refuseUpload(error);
          }
          onStored(record);
          return record;
        },
        discard: () => rm(part, { force: true }),
      };
    },
    get(id, owner) {
      const file = store.files.get(id);
      return file !== undefined && belongsTo(file, owner) ? file : undefined;
    },
    list: (owner) => store.files.list().filter((file) => belongsTo(file, owner)),
    sizeOf: async (file) => (file.sha256 === null ? await answerFiles.size(file) : null) ?? file.bytes,
    async read(id, range) {
      const record = find(id);
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? record.bytes, record.bytes);
      if (start >= end) return Readable.from([]);
      const { sha256 } = record;
      const lines = sha256 === null ? await answerFiles.open(record, start, end) : null;
      // Of lines it is told which are damaged, also where they are gone.
      const file = await openWhole(store.pathOf(id), lines === null ? end : 0);
      if (file === null)
        throw new ServiceError("not_found", `The content of file ${id} is no longer on disk.`, "file_id");
      if (lines !== null) {
        await file.close();
        return await readLines(lines, end - start, id);
      }
      const content = file.createReadStream({ start, end: end - 1, highWaterMark: readBytes });
      if (sha256 === null) return content;
      const path = store.pathOf(id);
      const compare = () => isSoundContent(path, record);
      // Clients ask for one part after the other: the whole file is not read for each.
      const isPart = range !== undefined && (start > 0 || end < record.bytes);
      if (!isPart && record.bytes > mostCheckedFirst) return checkWhile(content, sha256);
      let isSound = false;
      try {
        isSound = await (isPart ? isSoundSince(path, compare) : compare());
      } finally {
        if (!isSound) content.destroy();
      }
      if (!isSound) throw damagedContent(id);
      return content;
    },
    isSound: async (id) => isSoundContent(store.pathOf(id), find(id)),
    async remove(id) {
      find(id);
      const user = findUser(store, id);
      if (user !== undefined) {
        const message = `File ${id} is in use by batch ${user.id}, which has not ended. Cancel the batch, or wait for its end.`;
        throw new ServiceError("file_in_use", message, "file_id");
      }
      const deleted = store.all.batches
        .list()
        .find((batch) => filesOf(batch).includes(id) && isDeleted(batch, store.all.batches));
      if (deleted !== undefined) {
        const message = `The deleted batch ${deleted.id} needs file ${id}. Delete it for good or restore it first.`;
        throw new ServiceError("file_in_use", message, "file_id");
      }
      await removeFile(store, id);
    },
  };
}

/** A batch that has not ended and reads or writes the file. */
export function findUser(store: Store, fileId: string): BatchRecord | undefined {
  return store.batches.list().find((batch) => !finalStatuses.has(batch.status) && filesOf(batch).includes(fileId));
}

/** The record goes first: should this process end in between, the next start removes the bytes, too. */
export async function removeFile(store: Store, fileId: string): Promise<void> {
  store.files.remove(fileId);
  await store.synced();
  await rm(store.pathOf(fileId), { force: true });
}

/** Lines as a stream. What is not large is read as a whole first, and refused as a whole. */
async function readLines(lines: AsyncIterable<Buffer>, bytes: number, id: string): Promise<Readable> {
  if (bytes > mostCheckedFirst) return Readable.from(lines, { objectMode: false });
  try {
    return Readable.from(await Array.fromAsync(lines), { objectMode: false });
  } catch (error) {
    throw error instanceof DamagedAnswersError ? damagedContent(id) : error;
  }
}

function damagedContent(id: string): ServiceError {
  return new ServiceError("file_damaged", `The content of file ${id} is damaged on disk.`, "file_id");
}

/** Larger files are checked while they are read, in bytes. */
const mostCheckedFirst = 8_000_000;

/** Bytes that are read at a time: large enough that the way through the thread pool is not what takes the time. */
const readBytes = 512 * 1024;

/** The opened file; null when it is not there, or has fewer than so many bytes. */
async function openWhole(path: string, bytes: number): Promise<FileHandle | null> {
  try {
    const file = await openFiles.open(path);
    if ((await file.stat()).size >= bytes) return file;
    await file.close();
    return null;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/**
 * Streams content to a new file at `path`, hashed on the way. Fails with `file_too_large` as soon as it is over the
 * limit, or with what the content fails with; nothing stays then.
 */
async function receive(
  path: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
  sync: (file: FileHandle) => Promise<void>,
) {
  const file = await openFiles.open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  /** The last chunk is still being written while it is hashed, and while the next one comes. */
  let writing = Promise.resolve();
  try {
    for await (const chunk of content) {
      if (bytes + chunk.length > limit) throw tooLarge(limit);
      await writing;
      writing = writeFully(file, chunk, bytes);
      writing.catch(() => {}); // Thrown where it is awaited.
      hash.update(chunk);
      bytes += chunk.length;
    }
    await writing;
    await sync(file);
    await file.close();
  } catch (error) {
    await writing.catch(() => {});
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError(
    "file_too_large",
    `The file is larger than ${formatBytes(limit)}, the most that is taken.`,
    "file",
  );
}
