import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finalStatuses, type Notice } from "#contract";
import { describeDiskError } from "../io/disk.ts";
import { syncFolder } from "../io/durability.ts";
import { copyInto, makeFolder } from "../io/folders.ts";
import { copyRecords } from "./copy-records.ts";
import { DataDirError } from "./data-dir-error.ts";
import { adoptUploads, listUploads, type Places } from "./folder.ts";
import { type JournalEnd, nextOf, previousOf, restoreJournal, writeJournal } from "./journal.ts";
import type { Notices } from "./notices.ts";
import { type JournalDamage, type JournalReading, readJournal, readJournalInTurns } from "./read-journal.ts";
import type { Change } from "./records.ts";
import { applyChange, createReplay, createRows, findUnclear, listChanges, type Rows, restoreRows } from "./rows.ts";

/** A journal as a start has brought it in order. */
export interface OpenedJournal {
  readonly rows: Rows;
  readonly folder: string;
  readonly end: JournalEnd;
  /** What the start itself found out, to be recorded in it. */
  readonly found: readonly Change[];
}

/**
 * Reads the journal of a folder that this process holds. What is damaged in it is named in the notices, kept in `quarantine`, and
 * replaced by what was known before. Rejects with a DataDirError where there are files, but neither the journal nor the one before it
 * can be read. `onReading` is called with how many bytes of it are read, and all bytes.
 */
export async function openJournal(
  places: Places,
  adopt: boolean,
  notices: Notices,
  onReading: (done: number, total: number) => void = () => {},
): Promise<OpenedJournal> {
  const { journal: path, files } = places;
  rmSync(nextOf(path), { force: true });
  const rows = createRows();
  const reading = await readJournalInTurns(path, createReplay(rows), onReading);
  if (reading.format === 2) return await adoptInputs(places, await repair(places, rows, reading, notices), reading);
  if (reading.format === 1) return await migrate(places, rows, reading.lastSeq);
  const previous = existsSync(previousOf(path)) ? await takePrevious(places, notices) : null;
  if (previous !== null) return previous;
  if (listUploads(files).length === 0) return await begin(places, rows, 0);
  if (!adopt) throw lostJournal(path, files, reading);
  for (const record of await adoptUploads(files)) rows.files.set(record.id, record);
  return await begin(places, rows, 0);
}

/** Registers inputs of running batches again whose line is damaged: they can't have been removed, and are needed. */
async function adoptInputs(
  { files }: Places,
  opened: OpenedJournal,
  { damages }: JournalReading,
): Promise<OpenedJournal> {
  const { rows, found } = opened;
  const inputs = [...rows.batches.values()]
    .filter(({ status }) => !finalStatuses.has(status))
    .map((one) => one.inputFileId);
  const lost = new Set(inputs.filter((id) => !rows.files.has(id)));
  if (damages.length === 0 || lost.size === 0) return opened;
  const records = await adoptUploads(files, (id) => lost.has(id));
  return { ...opened, found: [...found, ...records.map((record): Change => ({ kind: "file", record }))] };
}

/** Brings a folder of the format before to this one. Until its journal is replaced, at the end, it is as it was. */
async function migrate(places: Places, rows: Rows, seq: number): Promise<OpenedJournal> {
  try {
    await copyRecords(places);
    return await begin(places, rows, seq);
  } catch (error) {
    const failure = describeDiskError(error);
    if (failure === null) throw error;
    const remedy =
      failure.code === "disk_full"
        ? "The disk is full: make room, and start Sheaf again."
        : "It can't be written now: start Sheaf again once it can.";
    throw new DataDirError(
      "data_dir_not_migrated",
      `${places.dir} is of an older version of Sheaf, and could not be brought to the form of this one. ${remedy} Its records are as they were.`,
    );
  }
}

/** Writes the first journal of its form. */
async function begin({ journal }: Places, rows: Rows, seq: number): Promise<OpenedJournal> {
  const folder = createFolderId();
  const end = await writeJournal(journal, folder, seq, listChanges(rows));
  return { rows, folder, end, found: [] };
}

/** A journal that is missing, or of which nothing can be read, is replaced by the one before it. */
async function takePrevious(places: Places, notices: Notices): Promise<OpenedJournal | null> {
  const { journal, quarantine } = places;
  const rows = createRows();
  const reading = readJournal(previousOf(journal), createReplay(rows));
  if (reading.format === null) return null;
  if (existsSync(journal)) await copyInto(quarantine, journal, "journal.jsonl");
  const message =
    "Sheaf’s journal could not be read. The one before it is used: batches and files are shown as they were then. No answer is deleted.";
  notices.add({
    code: "journal_restored",
    count: 1,
    message,
    ...detail(journal, "In its place: journal.jsonl.previous."),
  });
  const lost = { line: 0, afterSeq: reading.lastSeq, missing: 1, ids: [], bytes: Buffer.alloc(0) };
  const damages = [...reading.damages, lost];
  const { found, ...opened } = await repair(places, rows, { ...reading, damages }, notices);
  for (const change of found) applyChange(rows, change);
  // It gets its name with all that was found: without that the next start would take it for sound.
  return { ...opened, end: await restoreJournal(journal, opened.end, found), found: [] };
}

async function repair(places: Places, rows: Rows, reading: JournalReading, notices: Notices): Promise<OpenedJournal> {
  const { journal: path, quarantine } = places;
  const { damages, torn, end } = reading;
  const found: Change[] = [...listUnwritten(places, rows, reading)];
  if (torn.length > 0) {
    await keepBytes(quarantine, `journal-${end}.torn`, torn);
    // Half a line, or zeros, is what a process or a computer leaves that ends while it writes.
    if (torn.includes(0x0a) && torn.some((byte) => byte !== 0)) {
      const message = "The end of Sheaf’s journal could not be read: what was changed last may be missing.";
      const what = `The last ${torn.length} bytes were moved to ${quarantine}.`;
      notices.add({ code: "journal_damaged", count: 1, message, ...detail(path, what) });
    }
  }
  if (damages.length > 0) {
    for (const damage of damages) {
      await keepBytes(quarantine, `journal-${damage.line}.damaged`, damage.bytes);
    }
    const previous = createRows();
    readJournal(previousOf(path), createReplay(previous));
    const restored = restoreRows(rows, previous);
    for (const id of findUnclear(rows, damages)) {
      const batch = rows.batches.get(id);
      if (batch !== undefined) found.push({ kind: "batch", record: { ...batch, unclear: true } });
    }
    // Where it can't be told whose line is lost, it may be the one that closed the endpoint.
    const isOpen = rows.mcpEnabled && !damages.some((damage) => isLost(rows, damage));
    if (rows.mcpEnabled && !isOpen) found.push({ kind: "mcp_endpoint", enabled: false });
    if (!rows.isDamaged) found.push({ kind: "damage", found: true });
    notices.add({
      code: "journal_damaged",
      count: damages.length,
      message: describeDamage(countUnclear(rows, found)),
      ...detail(path, listDamages(damages, restored)),
    });
  }
  if (damages.length === 0 && rows.isDamaged) {
    const message =
      "Sheaf’s journal was found damaged at an earlier start, and nobody has confirmed it yet. Until then nothing is deleted by itself.";
    notices.add({ code: "journal_damaged", count: 1, message, ...detail(path) });
  }
  const folder = reading.folder ?? createFolderId();
  const deadBytes = Math.max(0, end - rows.liveBytes);
  const at = { size: end, seq: reading.lastSeq, isTerminated: reading.isTerminated, deadBytes };
  return { rows, folder, end: at, found };
}

/**
 * Ends of uploads whose line was written, but whose name was not on the disk yet when the power went: no client knows them. A journal
 * that tells of no sync belongs to a folder that is never synced.
 */
function* listUnwritten({ files: folder }: Places, rows: Rows, { synced }: JournalReading): Generator<Change> {
  if (synced === 0) return;
  for (const { id, purpose } of rows.files.values()) {
    const isUpload = purpose !== "batch_output";
    if (isUpload && (rows.seqs.get(id) ?? 0) > synced && !existsSync(join(folder, id)))
      yield { kind: "file_removed", id };
  }
}

function isLost({ seqs }: Rows, { afterSeq, missing, ids }: JournalDamage): boolean {
  return missing > ids.length && (seqs.get("mcp_endpoint") ?? 0) <= afterSeq;
}

/** Batches that wait for their user, since this start or an earlier one. */
function countUnclear({ batches }: Rows, found: readonly Change[]): number {
  const earlier = [...batches.values()].filter(({ unclear, status }) => unclear && !finalStatuses.has(status));
  const asked = found.flatMap((change) => (change.kind === "batch" ? [change.record] : []));
  return new Set([...earlier, ...asked].map(({ id }) => id)).size;
}

/** What it means to the user; `asked`: batches that wait for a decision. */
function describeDamage(asked: number): string {
  const waits = `${asked === 1 ? "1 batch waits" : `${asked} batches wait`} for your decision: what was done there last is not known.`;
  return [
    "Part of Sheaf’s journal was damaged on the disk: a batch or file may be as it was before its last change, or be missing.",
    ...(asked > 0 ? [waits] : []),
    "Until you confirm this, nothing is deleted by itself.",
  ].join(" ");
}

function listDamages(damages: readonly JournalDamage[], restored: readonly string[]): string {
  const places = damages.map(({ line, ids }) =>
    ids.length === 0 ? `line ${line}` : `line ${line} (${ids.join(", ")})`,
  );
  const older = restored.length === 0 ? "" : ` An older version is used of: ${shortList(restored)}.`;
  return `Damaged: ${shortList(places)}.${older}`;
}

/** Where it is, and what exactly. */
function detail(journal: string, what = ""): Pick<Notice, "details"> {
  return { details: `${journal}${what && `: ${what}`}` };
}

/** As many as are read at a glance. */
const mostListed = 10;

/** Items as one text, of many the first ones. */
export function shortList(items: readonly string[]): string {
  const rest = items.length - mostListed;
  return items.slice(0, mostListed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Keeps bytes that are not used any more, once for each place that they were found in. They are on the disk when this resolves. */
async function keepBytes(quarantine: string, name: string, bytes: Buffer): Promise<void> {
  const target = join(quarantine, name);
  if (bytes.length === 0 || existsSync(target)) return;
  makeFolder(quarantine);
  await writeFile(`${target}.part`, bytes, { mode: 0o600, flush: true });
  await rename(`${target}.part`, target);
  await syncFolder(quarantine);
  await syncFolder(dirname(quarantine));
}

/** A random id of a data folder. */
export function createFolderId(): string {
  return randomBytes(8).toString("hex");
}

/** Without the journal no one knows which files were whole, and what they were for. */
function lostJournal(path: string, filesDir: string, { torn }: JournalReading): DataDirError {
  const found = torn.length > 0 ? "can't be read" : existsSync(path) ? "is empty" : "is missing";
  return new DataDirError(
    "journal_missing",
    `There are files in ${filesDir}, but the journal ${path} ${found}. Nothing was changed. Restore the journal from a copy, or register the uploads again.`,
  );
}
