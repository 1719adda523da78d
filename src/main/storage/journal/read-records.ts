import { listUploads, placesIn } from "./folder.ts";
import { previousOf, writeJournal } from "./journal.ts";
import { createFolderId } from "./open-journal.ts";
import { type JournalDamage, readJournal } from "./read-journal.ts";
import { createReplay, createRows, findUnclear, listChanges, nameConnections, type Rows, restoreRows } from "./rows.ts";

/** The records of a folder as a start would take them, and what is wrong with its journal. */
export interface FolderRecords {
  /**
   * `sound`, also with damage in some lines; `previous`: it can't be read, and the one before it is used; `lost`: neither can be read,
   * although there are files; `none`: the folder has no records.
   */
  readonly journal: "sound" | "previous" | "lost" | "none";
  readonly rows: Rows;
  readonly damages: readonly JournalDamage[];
  /** Bytes at the end that were being written when a process ended, or a computer. */
  readonly torn: number;
  /** Whether these are more than half a line or zeros. */
  readonly isTailLost: boolean;
  /** Records that are taken from the journal before. */
  readonly restored: readonly string[];
  /** Batches of which it is not known what was done for them since. */
  readonly unclear: readonly string[];
  readonly folder: string | null;
  readonly lastSeq: number;
}

/** Something between the last line and now that can't be told. */
const lostSince = (afterSeq: number): JournalDamage => ({
  line: 0,
  afterSeq,
  missing: 1,
  ids: [],
  bytes: Buffer.alloc(0),
});

/**
 * Reads the records of a folder that another process may hold: nothing is locked or written. Throws a DataDirError for a folder of a newer
 * version.
 */
export function readRecords(dir: string): FolderRecords {
  const { journal: path, files } = placesIn(dir);
  const rows = createRows();
  let reading = readJournal(path, createReplay(rows));
  const { torn } = reading;
  let journal: FolderRecords["journal"] = "sound";
  if (reading.format === null) {
    reading = readJournal(previousOf(path), createReplay(rows));
    journal = reading.format !== null ? "previous" : listUploads(files).length > 0 ? "lost" : "none";
  }
  const previous = createRows();
  if (reading.damages.length > 0) readJournal(previousOf(path), createReplay(previous));
  const { damages, folder, lastSeq } = reading;
  const restored = restoreRows(rows, previous);
  const unclear = findUnclear(rows, journal === "previous" ? [...damages, lostSince(lastSeq)] : damages);
  nameConnections(rows.files, rows.batches);
  const isTailLost = torn.includes(0x0a) && torn.some((byte) => byte !== 0);
  return { journal, rows, damages, torn: torn.length, isTailLost, restored, unclear, folder, lastSeq };
}

/**
 * Writes the journal of a copy. What is done in the folder from then on is not known there: batches that may cost wait in it for their
 * user.
 */
export async function writeCopiedJournal(dir: string, { rows, damages, folder, lastSeq }: FolderRecords) {
  const copied = { ...rows, batches: new Map(rows.batches) };
  for (const id of findUnclear(copied, [lostSince(lastSeq)])) {
    const batch = copied.batches.get(id);
    if (batch !== undefined) copied.batches.set(id, { ...batch, unclear: true });
  }
  copied.isDamaged ||= damages.length > 0;
  await writeJournal(placesIn(dir).journal, folder ?? createFolderId(), lastSeq, listChanges(copied));
}
