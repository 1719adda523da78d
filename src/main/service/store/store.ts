import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertNever } from "../assert-never.ts";
import { makeFolder } from "../io/index.ts";
import type { Logger, Machine } from "../ports.ts";
import { DataDirError } from "./data-dir-error.ts";
import { adoptUploads, keepPrivate, listUploads, tidyFiles } from "./folder.ts";
import { type Journal, readJournal, startJournal } from "./journal.ts";
import { lockDataDir } from "./lock.ts";
import { createNotices, type Notices } from "./notices.ts";
import type { BatchRecord, Change, FileRecord } from "./records.ts";

/** Where a service keeps its data: in a folder that outlives it, or in one of its own that it removes at the end. */
export type Storage =
  | {
      readonly dataDir: string;
      /** Registers uploads again whose journal is gone; without it such a folder is not opened. */
      readonly adopt?: boolean;
    }
  | { readonly ephemeral: true };

/** The records in memory, and the folder with the bytes of the files. */
export interface Store {
  readonly files: Table<FileRecord>;
  readonly batches: Table<BatchRecord>;
  /** Whether the MCP endpoint is open. */
  readonly mcpEnabled: Setting<boolean>;
  /** Where the bytes of a file are. Not for the outside. */
  pathOf(fileId: string): string;
  /** The folder of the verdicts, which need not be there yet. */
  readonly verdictsDir: string;
  /** The same of the grades. */
  readonly gradesDir: string;
  /** Where the times of a batch's lines are, which need not be there. */
  timingsOf(batchId: string): string;
  /** Where the index of an ended batch's lines is. */
  indexOf(batchId: string): string;
  readonly notices: Notices;
  close(): void;
}

/** What can be read of a data folder, whoever works in it: its records as they were, and where the files of its batches are. */
export interface StoredFolder extends Pick<Store, "pathOf" | "timingsOf" | "indexOf"> {
  readonly files: Pick<Table<FileRecord>, "get">;
  readonly batches: Pick<Table<BatchRecord>, "get" | "list">;
}

/** Records of one kind, in the order in which they were created. */
export interface Table<T> {
  get(id: string): T | undefined;
  /** Newest first. */
  list(): T[];
  /** Stores a new record, or a new version of one. It is in the journal when this returns. */
  put(record: T): void;
  /** The same in memory only: for what can be worked out anew from the files after a restart. */
  setWithoutJournal(record: T): void;
  remove(id: string): void;
}

/** A single value, stored like the records. */
export interface Setting<T> {
  get(): T;
  /** It is in the journal when this returns. */
  set(value: T): void;
}

interface StoreParts {
  readonly logger: Logger;
  readonly machine: Machine;
}

/** Opens a store with all that was in it. Rejects with a DataDirError when the folder is in use or can't be read. */
export async function openStore(storage: Storage, { logger, machine }: StoreParts): Promise<Store> {
  const notices = createNotices(logger);
  if ("dataDir" in storage) return openDurable(storage.dataDir, storage.adopt ?? false, { logger, machine, notices });
  const dir = mkdtempSync(join(tmpdir(), "sheaf-"));
  const journal: Journal = { append: () => {}, close: () => {} };
  const remove = () => rmSync(dir, { recursive: true, force: true });
  return createStore({ dir, filesDir: dir }, replay([]), journal, notices, remove);
}

/** Reads a data folder that another process may hold: nothing is locked or written. Throws a DataDirError when it can't be read. */
export function readStoredFolder(dir: string, logger: Logger): StoredFolder {
  const journal: Journal = { append: () => {}, close: () => {} };
  const rows = replay(readJournal(join(dir, "journal.jsonl")));
  return createStore({ dir, filesDir: join(dir, "files") }, rows, journal, createNotices(logger), () => {});
}

async function openDurable(
  dir: string,
  adopt: boolean,
  { logger, machine, notices }: StoreParts & { readonly notices: Notices },
): Promise<Store> {
  const filesDir = join(dir, "files");
  const path = join(dir, "journal.jsonl");
  const isOurs = !existsSync(dir) || existsSync(path);
  makeFolder(filesDir);
  const unlock = await lockDataDir(dir, machine);
  try {
    keepPrivate(dir, isOurs, logger);
    const changes = readJournal(path);
    const isLost = changes.length === 0 && listUploads(filesDir).length > 0;
    if (isLost && !adopt) throw lostJournal(path, filesDir);
    const adopted = isLost ? await adoptUploads(filesDir) : [];
    const rows = replay(isLost ? adopted.map((record) => ({ kind: "file", record })) : changes);
    const known = { has: (id: string) => rows.files.has(id), removed: rows.removedFiles };
    if (!isLost) tidyFiles(filesDir, known, join(dir, "quarantine"), notices);
    const journal = startJournal(path, snapshotOf(rows));
    return createStore({ dir, filesDir }, rows, journal, notices, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Without the journal no one knows which files were whole, and what they were for. */
function lostJournal(path: string, filesDir: string): DataDirError {
  const found = existsSync(path) ? "is empty" : "is missing";
  return new DataDirError(
    "journal_missing",
    `There are files in ${filesDir}, but the journal ${path} ${found}. Restore it from a copy, or start with --adopt to register the uploads again. Nothing was changed.`,
  );
}

interface Rows {
  readonly files: Map<string, FileRecord>;
  readonly batches: Map<string, BatchRecord>;
  readonly removedFiles: ReadonlySet<string>;
  mcpEnabled: boolean;
}

function createStore(
  { dir, filesDir }: { readonly dir: string; readonly filesDir: string },
  rows: Rows,
  journal: Journal,
  notices: Notices,
  release: () => void,
): Store {
  return {
    files: createTable(rows.files, {
      put: (record) => journal.append({ kind: "file", record }),
      remove: (id) => journal.append({ kind: "file_removed", id }),
    }),
    batches: createTable(rows.batches, {
      put: (record) => journal.append({ kind: "batch", record }),
      remove: (id) => journal.append({ kind: "batch_removed", id }),
    }),
    mcpEnabled: {
      get: () => rows.mcpEnabled,
      set(enabled) {
        journal.append({ kind: "mcp_endpoint", enabled });
        rows.mcpEnabled = enabled;
      },
    },
    pathOf: (fileId) => join(filesDir, fileId),
    verdictsDir: join(dir, "verdicts"),
    gradesDir: join(dir, "grades"),
    timingsOf: (batchId) => join(dir, "timings", batchId),
    indexOf: (batchId) => join(dir, "indexes", batchId),
    notices,
    close() {
      journal.close();
      release();
    },
  };
}

/** A table in memory that journals each change first: when that fails, nothing has changed. */
function createTable<T extends { readonly id: string }>(
  rows: Map<string, T>,
  journal: { put(record: T): void; remove(id: string): void },
): Table<T> {
  return {
    get: (id) => rows.get(id),
    list: () => [...rows.values()].reverse(),
    put(record) {
      journal.put(record);
      rows.set(record.id, record);
    },
    setWithoutJournal(record) {
      rows.set(record.id, record);
    },
    remove(id) {
      if (!rows.has(id)) return;
      journal.remove(id);
      rows.delete(id);
    },
  };
}

function replay(changes: readonly Change[]): Rows {
  const files = new Map<string, FileRecord>();
  const batches = new Map<string, BatchRecord>();
  const removedFiles = new Set<string>();
  let mcpEnabled = false;
  for (const change of changes) {
    switch (change.kind) {
      case "file":
        files.set(change.record.id, change.record);
        break;
      case "batch":
        batches.set(change.record.id, change.record);
        break;
      case "file_removed":
        files.delete(change.id);
        removedFiles.add(change.id);
        break;
      case "batch_removed":
        batches.delete(change.id);
        break;
      case "mcp_endpoint":
        mcpEnabled = change.enabled;
        break;
      default:
        assertNever(change);
    }
  }
  nameConnections(files, batches);
  return { files, batches, removedFiles, mcpEnabled };
}

/** Files of journals that don't record their connection belong to the one whose batches alone have them. */
function nameConnections(files: Map<string, FileRecord>, batches: ReadonlyMap<string, BatchRecord>): void {
  const connections = new Map<string, string | null>();
  for (const { connection, inputFileId, outputFileId, errorFileId } of batches.values()) {
    for (const id of [inputFileId, outputFileId, errorFileId]) {
      if (id !== null) connections.set(id, connections.get(id) === null ? null : connection);
    }
  }
  for (const [id, connection] of connections) {
    const file = files.get(id);
    if (file !== undefined && file.connection === null && connection !== null) files.set(id, { ...file, connection });
  }
}

/** Never without a line: an empty journal is one whose content was lost. */
function snapshotOf({ files, batches, mcpEnabled }: Rows): Change[] {
  return [
    { kind: "mcp_endpoint", enabled: mcpEnabled },
    ...Array.from(files.values(), (record): Change => ({ kind: "file", record })),
    ...Array.from(batches.values(), (record): Change => ({ kind: "batch", record })),
  ];
}
