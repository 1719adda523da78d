import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { finalStatuses } from "#contract";
import type { Logger, Machine } from "#main/base";
import type { BatchRecord } from "./records.ts";
import { readStoredFolder, type Store, type StoredFolder } from "./store.ts";

/** Batches of other data folders, which may be at work in other processes: they are read, never locked or written. */
export interface Archive {
  /** The own batches and these, as one folder. What is kept of their lines is kept in the own one. */
  readonly joined: StoredFolder;
  readonly batches: StoredFolder["batches"];
  /** Calls the listener with each of them that has changed. Returns a function that stops it. */
  subscribe(listener: (batch: BatchRecord) => void): () => void;
  close(): void;
}

interface ArchiveDeps {
  readonly listFolders: () => Promise<readonly string[]>;
  readonly machine: Machine;
  readonly logger: Logger;
}

interface KnownFolder {
  /** Of its journal: another one, other content. */
  readonly stamp: string;
  readonly folder: StoredFolder;
  readonly batches: ReadonlyMap<string, BatchRecord>;
}

/** Between two looks at the folders, in milliseconds. */
const lookInterval = 2_000;

/** Looks at the folders now, and again and again until it is closed. */
export async function openArchive(own: Store, { listFolders, machine, logger }: ArchiveDeps): Promise<Archive> {
  let known: ReadonlyMap<string, KnownFolder> = new Map();
  let isLooking = false;
  const listeners = new Set<(batch: BatchRecord) => void>();
  const countLines = createLineCounter();

  const all = () => [...known.values()];
  const find = (id: string) => all().find(({ batches }) => batches.has(id));
  const folderOf = (batchId: string): StoredFolder => find(batchId)?.folder ?? own;
  const batches = {
    get: (id: string) => find(id)?.batches.get(id),
    list: () => all().flatMap(({ batches }) => [...batches.values()]),
  };

  async function read(dir: string): Promise<KnownFolder | undefined> {
    const before = known.get(dir);
    try {
      const { mtimeMs, size, ino } = statSync(join(dir, "journal.jsonl"));
      const stamp = [mtimeMs, size, ino].join(" ");
      const folder = before?.stamp === stamp ? before.folder : readStoredFolder(dir, logger);
      const records = await Promise.all(folder.batches.list().map((batch) => withCounts(batch, folder)));
      return { stamp, folder, batches: new Map(records.map((batch) => [batch.id, batch])) };
    } catch (error) {
      // It is being made, or removed.
      logger.debug("The batches of a folder can't be read", { folder: dir, error: String(error) });
      return before;
    }
  }

  /** A process that answers lines writes down how many only at the end: until then its files are counted. */
  async function withCounts(batch: BatchRecord, { pathOf }: StoredFolder): Promise<BatchRecord> {
    const { status, counts, outputFileId, errorFileId } = batch;
    if (finalStatuses.has(status) || counts.total === 0) return batch;
    const count = async (id: string | null) => (id === null ? 0 : await countLines(pathOf(id)));
    const [completed, failed] = await Promise.all([count(outputFileId), count(errorFileId)]);
    return { ...batch, counts: { ...counts, completed, failed } };
  }

  async function look(): Promise<void> {
    const dirs = await listFolders();
    const found = await Promise.all(dirs.map(async (dir) => [dir, await read(dir)] as const));
    const before = new Map(batches.list().map((batch) => [batch.id, batch]));
    known = new Map(found.flatMap(([dir, folder]) => (folder === undefined ? [] : [[dir, folder] as const])));
    for (const batch of batches.list()) {
      if (isDeepStrictEqual(batch, before.get(batch.id))) continue;
      for (const listener of listeners) listener(batch);
    }
  }

  await look();
  const stop = machine.every(
    lookInterval,
    () => {
      if (isLooking) return;
      isLooking = true;
      look()
        .catch((error: unknown) => logger.warn("Other folders can't be listed", { error: String(error) }))
        .finally(() => {
          isLooking = false;
        });
    },
    { unref: true },
  );

  return {
    batches,
    joined: {
      batches: {
        get: (id) => own.batches.get(id) ?? batches.get(id),
        list: () => [...own.batches.list(), ...batches.list()].sort((a, b) => b.times.created - a.times.created),
      },
      files: { get: (id) => own.files.get(id) ?? findFile(id)?.files.get(id) },
      pathOf: (fileId) => (findFile(fileId) ?? own).pathOf(fileId),
      pricesOf: (batchId, id) => folderOf(batchId).pricesOf(batchId, id),
      ledgerOf: (batchId) => folderOf(batchId).ledgerOf(batchId),
      timingsOf: (batchId) => folderOf(batchId).timingsOf(batchId),
      indexOf: own.indexOf,
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };

  /** The other folder that has a file; the own one has its files' names from nowhere else. */
  function findFile(id: string): StoredFolder | undefined {
    if (own.files.get(id) !== undefined) return undefined;
    return all().find(({ folder }) => folder.files.get(id) !== undefined)?.folder;
  }
}

/** Counts the lines of files that grow: each byte is read once. */
function createLineCounter() {
  const known = new Map<string, { readonly bytes: number; readonly lines: number }>();
  return async (path: string): Promise<number> => {
    let { bytes, lines } = known.get(path) ?? { bytes: 0, lines: 0 };
    for await (const chunk of createReadStream(path, { start: bytes }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 0x0a) lines += 1;
    }
    known.set(path, { bytes, lines });
    return lines;
  };
}
