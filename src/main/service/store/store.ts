import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertNever } from "../assert-never.ts";
import type { BatchRecord, FileRecord } from "../types.ts";
import type { Change } from "./change.ts";
import { type Journal, readJournal, startJournal } from "./journal.ts";
import { lockDataDir } from "./lock.ts";
import { makeFolder } from "./make-folder.ts";
import { createTable, type Table } from "./table.ts";

export type { Table } from "./table.ts";

/** Where a service keeps its data: in a folder that outlives it, or in one of its own that it removes at the end. */
export type Storage = { readonly dataDir: string } | { readonly ephemeral: true };

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
  close(): void;
}

/** A single value, kept like the records. */
export interface Setting<T> {
  get(): T;
  /** It is in the journal when this returns. */
  set(value: T): void;
}

/** Opens a store with all that was in it. Throws a DataDirError when the folder is in use or can't be read. */
export function openStore(storage: Storage): Store {
  return "dataDir" in storage ? openDurable(storage.dataDir) : openEphemeral();
}

function openDurable(dir: string): Store {
  const filesDir = join(dir, "files");
  makeFolder(filesDir);
  const unlock = lockDataDir(dir);
  try {
    const path = join(dir, "journal.jsonl");
    const rows = replay(readJournal(path));
    removeUnknown(filesDir, rows.files);
    const journal = startJournal(path, snapshotOf(rows));
    return createStore(foldersIn(dir, filesDir), rows, journal, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function openEphemeral(): Store {
  const dir = mkdtempSync(join(tmpdir(), "sheaf-"));
  const journal: Journal = { append: () => {}, close: () => {} };
  return createStore(foldersIn(dir, dir), replay([]), journal, () => rmSync(dir, { recursive: true, force: true }));
}

interface Rows {
  readonly files: Map<string, FileRecord>;
  readonly batches: Map<string, BatchRecord>;
  mcpEnabled: boolean;
}

interface Folders {
  readonly filesDir: string;
  readonly verdictsDir: string;
  readonly gradesDir: string;
  readonly timingsDir: string;
}

function foldersIn(dir: string, filesDir: string): Folders {
  return {
    filesDir,
    verdictsDir: join(dir, "verdicts"),
    gradesDir: join(dir, "grades"),
    timingsDir: join(dir, "timings"),
  };
}

function createStore(
  { filesDir, verdictsDir, gradesDir, timingsDir }: Folders,
  rows: Rows,
  journal: Journal,
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
    verdictsDir,
    gradesDir,
    timingsOf: (batchId) => join(timingsDir, batchId),
    close() {
      journal.close();
      release();
    },
  };
}

function replay(changes: readonly Change[]): Rows {
  const files = new Map<string, FileRecord>();
  const batches = new Map<string, BatchRecord>();
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
  return { files, batches, mcpEnabled };
}

function snapshotOf({ files, batches, mcpEnabled }: Rows): Change[] {
  return [
    ...Array.from(files.values(), (record): Change => ({ kind: "file", record })),
    ...Array.from(batches.values(), (record): Change => ({ kind: "batch", record })),
    ...(mcpEnabled ? [{ kind: "mcp_endpoint", enabled: true } as const] : []),
  ];
}

/**
 * Removes bytes without a record: an upload that was cut off, or a file whose removal was. Only what bears a name that
 * this service gives: the folder may have been somebody's before.
 */
function removeUnknown(filesDir: string, known: ReadonlyMap<string, FileRecord>): void {
  for (const entry of readdirSync(filesDir, { withFileTypes: true })) {
    const isOurs = entry.isFile() && /^file-\w+$/.test(entry.name);
    if (isOurs && !known.has(entry.name)) rmSync(join(filesDir, entry.name));
  }
}
