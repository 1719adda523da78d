import { copyFileSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Logger, Machine } from "#main/base";
import { openSyncAppender, type SyncAppender } from "../io/appender.ts";
import { describeDiskError } from "../io/disk.ts";
import { type Durability, syncFolder } from "../io/durability.ts";
import { isErrno } from "../io/error.ts";
import { createMarker } from "../io/marker.ts";
import { sealLine } from "../io/sealed-line.ts";
import type { JournalHeader, JournalMark } from "./read-journal.ts";
import { journalFormat } from "./read-journal.ts";
import type { Change } from "./records.ts";

/**
 * The changes of records on disk, one line of JSON each, in the order in which they were made.
 *
 * Lines are written synchronously: a change is a few hundred bytes and there are few for each batch, so that it costs
 * microseconds, and there is no moment in which memory and journal differ. They outlive this process at once, and a power cut
 * once they are synced.
 */
export interface Journal {
  /** Returns when the operating system has the line. On failure nothing of it stays and this throws. */
  append(change: Change): void;
  /**
   * Writes it anew from memory, while changes go on; the one before stays as `.previous`. Where that fails, the log says so, and the
   * journal stays as it is.
   */
  rewrite(): Promise<void>;
  /** Syncs what is left. */
  close(): Promise<void>;
}

export interface JournalDeps {
  readonly path: string;
  /** A random id of the data folder. */
  readonly folder: string;
  readonly durability: Durability;
  readonly machine: Machine;
  readonly logger: Logger;
  /** The ids of all records that are there, and the change that makes one; undefined for one that has gone meanwhile. */
  readonly ids: () => Iterable<string>;
  readonly changeOf: (id: string) => Change | undefined;
  /** Changes that belong to no record. */
  readonly settings: () => readonly Change[];
  /** Whether it may be written anew; what is damaged in it stays as it is found. */
  readonly mayCompact: () => boolean;
}

/** Where the next line of an existing journal is written. */
export interface JournalEnd {
  readonly size: number;
  readonly seq: number;
  readonly isTerminated: boolean;
  /** Bytes of lines that no record needs any more. */
  readonly deadBytes: number;
}

/** A journal is written anew when it is this large, in bytes, and half of it is dead. */
const leastCompacted = 8_000_000;
/** Lines that are written at a stretch while others wait: about a millisecond. */
const sliceLines = 200;

export const previousOf = (path: string): string => `${path}.previous`;
export const nextOf = (path: string): string => `${path}.next`;

/** Takes changes behind those that are there. */
export function continueJournal(parts: JournalDeps, at: JournalEnd): Journal {
  const { path, durability, machine, logger } = parts;
  let file = createLines(path, at.size, at.seq, durability);
  if (!at.isTerminated) file.write(Buffer.from("\n"));
  let { deadBytes } = at;
  /** The line that counts for each record: of those before this start their bytes are not known, which makes them few enough. */
  const lineBytes = new Map<string, number>();
  let next: Lines | null = null;
  /** The journal whose name is not on the disk yet: after a power cut the one before it may be found there. */
  let unnamed: Lines | null = null;
  let compacting: Promise<void> | null = null;
  /** Whether another program has removed, replaced or cut it: nothing is confirmed before it is written anew. */
  let isHarmed = false;
  const marker = createMarker(machine, (synced) => {
    try {
      write({ kind: "mark", synced });
    } catch (error) {
      if (describeDiskError(error) === null) {
        logger.warn("The journal does not take a mark", { error: String(error) });
      }
    }
  });

  const target = {
    stage: "records",
    async sync() {
      const upTo = file.seq;
      const [current, other] = [file, next];
      // Whichever of the two a power cut leaves has what is acknowledged.
      await current.sync();
      await other?.sync().catch((error: unknown) => {
        if (file === other) throw error;
        next = null;
      });
      if (isHarmed || !file.isInPlace()) await replaceLost();
      const renamed = unnamed;
      if (renamed !== null) await syncFolder(dirname(path));
      if (unnamed === renamed) unnamed = null;
      marker.synced(upTo);
    },
  } as const;

  function write(line: Change | JournalMark): number {
    // Behind a cut it would hide that something is missing.
    isHarmed ||= !file.isInPlace();
    return file.append(line);
  }

  function append(change: Change): void {
    marker.flush();
    const bytes = write(change);
    const id = "record" in change ? change.record.id : "id" in change ? change.id : change.kind;
    deadBytes += lineBytes.get(id) ?? 0;
    lineBytes.set(id, bytes);
    try {
      next?.append(change);
    } catch {
      // It is in the journal that counts; the other is given up.
      next = null;
    }
    durability.changed(target);
    if (file.size >= leastCompacted && deadBytes * 2 > file.size && parts.mayCompact()) void rewrite();
  }

  function rewrite(): Promise<void> {
    compacting ??= compact()
      .catch((error: unknown) => logger.warn("A journal can't be let go of", { error: String(error) }))
      .finally(() => {
        compacting = null;
      });
    return compacting;
  }

  /** All that was in it is in memory. */
  async function replaceLost(): Promise<void> {
    logger.warn("The journal was changed by another program; it is written anew", { path });
    const harmed = file;
    await rewrite();
    if (file === harmed) throw new Error(`The journal ${path} was changed by another program.`);
    isHarmed = false;
  }

  /** Writes what is live to a new journal; changes that come meanwhile go to both. */
  async function compact(): Promise<void> {
    // The change that began it is in the tables by then.
    await machine.sleep(0);
    let started: Lines | null = null;
    try {
      started = createLines(nextOf(path), 0, file.seq, durability);
      next = started;
      started.append(headerOf(parts.folder));
      for (const change of parts.settings()) started.append(change);
      let written = 0;
      for (const id of [...parts.ids()]) {
        const change = parts.changeOf(id);
        if (change !== undefined) started.append(change);
        written += 1;
        if (written % sliceLines === 0) await machine.sleep(0);
      }
      await started.sync();
      // A change did not get into it.
      if (next !== started) throw new Error("The disk does not take it.");
      durability.confirmHeld();
      keepPrevious(path);
      renameSync(nextOf(path), path);
    } catch (error) {
      next = null;
      logger.warn("The journal can't be made smaller; it grows on", { error: String(error) });
      await started?.close();
      rmSync(nextOf(path), { force: true });
      // Before the next attempt as much again is to be dead.
      deadBytes = 0;
      return;
    }
    next = null;
    started.renamed(path);
    const before = file;
    file = started;
    unnamed = started;
    deadBytes = 0;
    durability.changed(target);
    await before.close();
  }

  return {
    append,
    rewrite,
    async close() {
      await compacting;
      await durability.synced().catch(() => {});
      marker.flush();
      await file.close();
    },
  };
}

/** Writes a new journal in the place of the one before, which stays as `.previous`. Returns where its next line is written. */
export async function writeJournal(path: string, folder: string, firstSeq: number, changes: Iterable<Change>) {
  const lines = createLines(nextOf(path), 0, firstSeq, null);
  lines.append(headerOf(folder));
  for (const change of changes) lines.append(change);
  await lines.sync();
  await lines.close();
  keepPrevious(path);
  renameSync(nextOf(path), path);
  await syncFolder(dirname(path));
  return { size: lines.size, seq: lines.seq, isTerminated: true, deadBytes: 0 };
}

/** Puts the journal before in the place of one that can't be read, up to its end `at`, with changes behind it. Returns where the next line is written. */
export async function restoreJournal(path: string, at: JournalEnd, changes: readonly Change[]): Promise<JournalEnd> {
  copyFileSync(previousOf(path), nextOf(path));
  const lines = createLines(nextOf(path), at.size, at.seq, null);
  if (!at.isTerminated) lines.write(Buffer.from("\n"));
  for (const change of changes) lines.append(change);
  await lines.sync();
  await lines.close();
  renameSync(nextOf(path), path);
  await syncFolder(dirname(path));
  return { size: lines.size, seq: lines.seq, isTerminated: true, deadBytes: at.deadBytes };
}

function headerOf(folder: string): JournalHeader {
  return { kind: "journal", format: journalFormat, folder };
}

interface Lines extends Pick<SyncAppender, "size" | "sync" | "renamed" | "isInPlace" | "close"> {
  /** Of the last line. */
  readonly seq: number;
  /** Answers with the bytes of its line. */
  append(line: Change | JournalHeader | JournalMark): number;
  write(bytes: Uint8Array): void;
}

/** Numbers and seals lines. `durability`: null for a file that is synced as a whole. */
function createLines(path: string, size: number, seq: number, durability: Durability | null): Lines {
  const file = openSyncAppender(path, size, { isSynced: durability !== null && durability.mode !== "never" });
  let last = seq;
  return {
    get size() {
      return file.size;
    },
    get seq() {
      return last;
    },
    append(line) {
      durability?.assertHeld();
      const bytes = sealLine({ ...line, seq: last + 1 });
      file.append(bytes);
      last += 1;
      return bytes.length;
    },
    write: file.append,
    sync: file.sync,
    renamed: file.renamed,
    isInPlace: file.isInPlace,
    close: file.close,
  };
}

function keepPrevious(path: string): void {
  const previous = previousOf(path);
  rmSync(previous, { force: true });
  try {
    linkSync(path, previous);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    // Not every file system has links.
    copyFileSync(path, previous);
  }
}
