import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger, Machine, PriceRecord } from "#main/base";
import { ServiceError } from "#main/base";
import { createDisk, type Disk, describeDiskError } from "../io/disk.ts";
import { createDurability, type Durability, type DurabilityMode, noDurability } from "../io/durability.ts";
import { makeFolder } from "../io/folders.ts";
import { makeTemporaryFolder } from "../io/temporary-folder.ts";
import type { LedgerPlace } from "../ledger/records.ts";
import { keepPrices, readPrices } from "../price-records.ts";
import { createValueLists, type ValueLists } from "../value-lists.ts";
import { DataDirError } from "./data-dir-error.ts";
import { removeDebris } from "./debris.ts";
import { createDeletedRecords } from "./deleted.ts";
import { keepPrivate, type Places, placesIn, removeOfBatches, tidyFiles } from "./folder.ts";
import { continueJournal, type Journal } from "./journal.ts";
import { lockDataDir } from "./lock.ts";
import { moveNotFiles } from "./not-files.ts";
import { createNotices, type Notices } from "./notices.ts";
import { openJournal } from "./open-journal.ts";
import { readJournal } from "./read-journal.ts";
import type { BatchRecord, Change, ClockDoubt, FileRecord } from "./records.ts";
import {
  applyChange,
  changeOf,
  createReplay,
  createRows,
  listSettings,
  measureAnswers,
  nameConnections,
  type Rows,
} from "./rows.ts";

/** Where a service keeps its data: in a folder that outlives it, or in one of its own that it removes at the end. */
export type Storage =
  | {
      readonly dataDir: string;
      /** Registers uploads again whose journal is gone; without it such a folder is not opened. */
      readonly adopt?: boolean;
      /** `second` by default. */
      readonly durability?: DurabilityMode | undefined;
    }
  | { readonly ephemeral: true };

/** The records in memory, and the folder with the bytes of the files. */
export interface Store {
  /** Without the files that deleted batches alone have. */
  readonly files: Table<FileRecord>;
  /** Without deleted batches, which can be restored: for all others these are gone. */
  readonly batches: Table<BatchRecord>;
  /** All records: deleted batches and their files are among them. */
  readonly all: {
    readonly files: Pick<Table<FileRecord>, "get" | "list">;
    readonly batches: Pick<Table<BatchRecord>, "get" | "list">;
  };
  /** Whether the MCP endpoint is open. */
  readonly mcpEnabled: Setting<boolean>;
  /** When a record was changed last, in Unix milliseconds of the computer, whatever clock its own times are of. */
  changedAt(id: string): number;
  /** When the last change was made that was there at the start; -Infinity where there was none. */
  readonly newestChange: number;
  /** Where the bytes of a file are. Not for the outside. */
  pathOf(fileId: string): string;
  /** The data folder. */
  readonly dir: string;
  /** The folder of the verdicts, which need not be there yet. */
  readonly verdictsDir: string;
  /** The same of the grades. */
  readonly gradesDir: string;
  /** The records of what answers cost, each stored once for all batches that name it. */
  readonly prices: {
    /** Resolves with its id when it is stored. */
    keep(record: PriceRecord): Promise<string>;
  };
  /** The lists of values that batches are filtered by. */
  readonly lists: ValueLists;
  /** The record that a batch names; null where it is not there, or damaged. */
  pricesOf(batchId: string, id: string): Promise<PriceRecord | null>;
  /** Where the ledger of a batch's answers is, which need not be there. */
  ledgerOf(batchId: string): LedgerPlace;
  /** Where the lines of a batch are that wait with an answer that could not be read. */
  heldOf(batchId: string): string;
  /** Where the times of a batch's lines are that is from before there were ledgers. */
  timingsOf(batchId: string): string;
  /** Where the index of an ended batch's lines is. */
  indexOf(batchId: string): string;
  readonly notices: Notices;
  /** Whether something in the folder was found damaged: nothing is deleted by itself until its user has confirmed it. */
  readonly isDamaged: Setting<boolean>;
  /** Null while the computer's clock is believed: nothing is deleted by a clock that is doubted. */
  readonly clockDoubt: Setting<ClockDoubt | null>;
  /**
   * The user has seen what is damaged: from now on the folder is tidied again. The journal is written anew without what is damaged in it;
   * as it was it stays as `.previous`. Rejects with a ServiceError while the disk refuses.
   */
  confirmDamage(): Promise<void>;
  readonly durability: Durability;
  /** Whether the disk takes what is written; what a change of a record met of it is reported already. */
  readonly disk: Disk;
  /**
   * Resolves when all that was stored before is on the disk itself: what is answered then outlives a power cut. Rejects with a
   * ServiceError while the disk refuses; it is stored then, and tried again.
   */
  synced(): Promise<void>;
  close(): Promise<void>;
}

/** What can be read of a data folder, also while another process works in it: its records as they were, and where the files of its batches are. */
export interface StoredFolder extends Pick<Store, "pathOf" | "ledgerOf" | "pricesOf" | "timingsOf" | "indexOf"> {
  readonly files: Pick<Table<FileRecord>, "get">;
  readonly batches: Pick<Table<BatchRecord>, "get" | "list">;
}

/** The same of a folder of its own, with its deleted batches apart. */
export interface OtherFolder extends StoredFolder, Pick<Store, "all"> {}

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

interface StoreDeps {
  readonly logger: Logger;
  readonly machine: Machine;
  /** Called with how many bytes of the records are read, and all bytes. */
  readonly onReading?: ((done: number, total: number) => void) | undefined;
}

/** Opens a store with all that was in it. Rejects with a DataDirError when the folder is in use or can't be read. */
export async function openStore(storage: Storage, { logger, machine, onReading }: StoreDeps): Promise<Store> {
  const notices = createNotices(logger, "dataDir" in storage ? storage.dataDir : undefined);
  if ("dataDir" in storage) return await openDurable(storage, { logger, machine, onReading, notices });
  const dir = makeTemporaryFolder();
  const disk = createDisk({ machine, logger, dir, hasReserve: false });
  return createStore({ ...placesIn(dir), files: dir }, createRows(), {
    folder: "",
    journal: noJournal,
    durability: { ...noDurability, disk },
    notices,
    logger,
    now: machine.wall,
    release: () => rmSync(dir, { recursive: true, force: true }),
  });
}

/** Reads a data folder that another process may hold: nothing is locked or written. Throws a DataDirError when it can't be read. */
export function readStoredFolder(dir: string, logger: Logger): OtherFolder {
  const places = placesIn(dir);
  const rows = createRows();
  const { folder } = readJournal(places.journal, createReplay(rows));
  nameConnections(rows.files, rows.batches);
  const parts = {
    folder: folder ?? "",
    journal: noJournal,
    durability: noDurability,
    notices: createNotices(logger),
    logger,
    now: () => 0,
    release: () => {},
  };
  return createStore(places, rows, parts);
}

/** The same of several; one that can't be read is left out with a warning. */
export function readStoredFolders(dirs: readonly string[], logger: Logger): OtherFolder[] {
  return dirs.flatMap((folder) => {
    try {
      return [readStoredFolder(folder, logger)];
    } catch (error) {
      if (!(error instanceof DataDirError)) throw error;
      logger.warn("The answers of another folder can't be used again", { folder, error: error.message });
      return [];
    }
  });
}

const noJournal: Journal = { append: () => {}, rewrite: async () => {}, close: async () => {} };

async function openDurable(
  { dataDir: dir, adopt = false, durability: mode = "second" }: Extract<Storage, { readonly dataDir: string }>,
  { logger, machine, onReading, notices }: StoreDeps & { readonly notices: Notices },
): Promise<Store> {
  const places = placesIn(dir);
  const isOurs = !existsSync(dir) || existsSync(places.journal);
  makeFolder(places.files);
  const held = await lockDataDir(dir, {
    machine,
    onLost(reason) {
      notices.add({ code: "data_dir_lost", count: 1, message: reason.message });
      disk?.report(reason);
    },
  });
  let disk: Disk | null = null;
  try {
    keepPrivate(dir, isOurs, logger);
    moveNotFiles(places, notices);
    makeFolder(places.files);
    const { rows, folder, end, found } = await openJournal(places, adopt, notices, onReading);
    nameConnections(rows.files, rows.batches);
    const isDamaged = rows.isDamaged || found.some(({ kind }) => kind === "damage");
    measureAnswers(rows, isDamaged, (id) => statSync(join(places.files, id), { throwIfNoEntry: false })?.size ?? 0);
    dateRecords(rows, statSync(places.journal).mtimeMs);
    disk = createDisk({ machine, logger, dir, hasReserve: true });
    const durability = createDurability(mode, { machine, logger, guard: held, disk });
    const journal = continueJournal(
      {
        path: places.journal,
        folder,
        durability,
        machine,
        logger,
        settings: () => listSettings(rows),
        ids: () => [...rows.files.keys(), ...rows.batches.keys()],
        changeOf: (id) => changeOf(rows, id),
        mayCompact: () => !rows.isDamaged,
      },
      end,
    );
    durability.renamed(places.journal);
    for (const change of found) {
      journal.append(change);
      applyChange(rows, change);
    }
    // In a folder with damage it can't be told what nothing names.
    const known = { has: (id: string) => rows.files.has(id) || rows.batches.has(id), removed: rows.removed };
    if (!rows.isDamaged && !adopt) {
      removeDebris(dir, { logger, machine });
      tidyFiles(places.files, known, places.quarantine, notices);
      removeOfBatches(dir, known);
    }
    return createStore(places, rows, {
      folder,
      journal,
      durability,
      notices,
      logger,
      now: machine.wall,
      release: held.release,
    });
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Records of versions that did not note when they were changed: no later than the journal was written last. */
function dateRecords({ files, batches, changedAt }: Rows, written: number): void {
  for (const id of [...files.keys(), ...batches.keys()]) if (!changedAt.has(id)) changedAt.set(id, written);
}

interface OpenDeps {
  /** A random id of the data folder. */
  readonly folder: string;
  readonly logger: Logger;
  /** Unix milliseconds of the computer. */
  readonly now: () => number;
  readonly journal: Journal;
  readonly durability: Durability;
  readonly notices: Notices;
  readonly release: () => void;
}

function createStore(
  { dir, files }: Places,
  rows: Rows,
  { folder, journal, durability, notices, logger, now, release }: OpenDeps,
): Store {
  const { disk } = durability;
  const deleted = createDeletedRecords(rows);

  /** In the journal first: when that fails, nothing has changed. */
  function change(next: Change): void {
    try {
      journal.append(next);
    } catch (error) {
      disk.report(error);
      throw error;
    }
    const noted = "record" in next ? next.record.id : "id" in next ? next.id : "";
    const before = rows.batches.get(noted);
    applyChange(rows, next);
    deleted.note(before, rows.batches.get(noted));
  }

  const synced = () =>
    durability.synced().catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      const met = describeDiskError(error);
      if (met === null) logger.warn("Nothing can be confirmed", { error: String(error) });
      const { code, message } = disk.failure ?? met ?? unconfirmed;
      throw new ServiceError(code, message);
    });

  return {
    all: { files: readTable(rows.files), batches: readTable(rows.batches) },
    files: createTable(rows.files, {
      isHidden: ({ id }) => deleted.hasFile(id),
      put: (record) => change({ kind: "file", record, at: now() }),
      remove: (id) => change({ kind: "file_removed", id }),
    }),
    batches: createTable(rows.batches, {
      isHidden: deleted.hasBatch,
      put: (record) => change({ kind: "batch", record, at: now() }),
      remove: (id) => change({ kind: "batch_removed", id }),
    }),
    changedAt: (id) => rows.changedAt.get(id) ?? now(),
    newestChange: rows.changedAt.values().reduce((newest, at) => Math.max(newest, at), Number.NEGATIVE_INFINITY),
    mcpEnabled: {
      get: () => rows.mcpEnabled,
      set: (enabled) => change({ kind: "mcp_endpoint", enabled }),
    },
    isDamaged: {
      get: () => rows.isDamaged,
      set: (found) => change({ kind: "damage", found }),
    },
    clockDoubt: {
      get: () => rows.clockDoubt,
      set: (doubt) => change({ kind: "clock_doubt", doubt }),
    },
    async confirmDamage() {
      change({ kind: "damage", found: false });
      await journal.rewrite();
      await synced();
      notices.remove("journal_damaged", "journal_restored");
    },
    durability,
    disk,
    pathOf: (fileId) => join(files, fileId),
    dir,
    verdictsDir: join(dir, "verdicts"),
    gradesDir: join(dir, "grades"),
    prices: { keep: (record) => keepPrices(dir, record, durability) },
    lists: createValueLists(dir, durability, (batchId) => rows.batches.has(batchId)),
    pricesOf: (_batchId, id) => readPrices(dir, id),
    ledgerOf: (batchId) => ({
      path: join(dir, "answers", batchId),
      folder,
      batch: batchId,
      format: rows.batches.get(batchId)?.connection == null ? 1 : 2,
    }),
    heldOf: (batchId) => join(dir, "answers", `${batchId}.held`),
    timingsOf: (batchId) => join(dir, "timings", batchId),
    indexOf: (batchId) => join(dir, "indexes", batchId),
    notices,
    synced,
    async close() {
      await durability.close();
      await disk.close();
      await journal.close();
      release();
    },
  };
}

const unconfirmed = {
  code: "disk_failed",
  message: "The disk does not take what is written. Try again later.",
} as const;

function readTable<T>(rows: ReadonlyMap<string, T>, isHidden = (_record: T) => false): Pick<Table<T>, "get" | "list"> {
  return {
    get(id) {
      const record = rows.get(id);
      return record === undefined || isHidden(record) ? undefined : record;
    },
    list: () => [...rows.values()].filter((record) => !isHidden(record)).reverse(),
  };
}

/** A table in memory, whose changes go by way of the journal. */
function createTable<T extends { readonly id: string }>(
  rows: Map<string, T>,
  { isHidden, put, remove }: Pick<Table<T>, "put" | "remove"> & { readonly isHidden: (record: T) => boolean },
): Table<T> {
  return {
    ...readTable(rows, isHidden),
    put,
    setWithoutJournal(record) {
      rows.set(record.id, record);
    },
    remove(id) {
      if (rows.has(id)) remove(id);
    },
  };
}
