import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { copyFile, open, readdir, rename, rm, rmdir, stat, truncate } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Machine } from "#main/base";
import {
  DataDirError,
  type FolderRecords,
  findNames,
  type HeldFolder,
  isErrno,
  isInside,
  judgeCallFile,
  judgeCallFolder,
  listFile,
  listFolder,
  lockDataDir,
  makeFolder,
  priceFile,
  priceFolder,
  readRecords,
  syncFolder,
  writeCopiedJournal,
} from "#main/storage";
import { ledgerFolder, measureEntered, readEntered } from "./answers.ts";
import { assertReadable, examineInSteps, listJobFolders } from "./examine-folder.ts";
import type { Finding } from "./findings.ts";
import { FolderError } from "./folder-error.ts";
import { countSteps, type Steps, type Watching, withinStep } from "./steps.ts";

/** A copy of a data folder. */
export interface Backup {
  readonly batches: number;
  /** Of these, how many are deleted and can be restored. */
  readonly deleted: number;
  readonly files: number;
  readonly bytes: number;
  /** Ids of what was removed while it was copied, and is not in it. */
  readonly removed: readonly string[];
  /** Copies that earlier attempts left half made, which were removed. */
  readonly swept: readonly string[];
  /** What is damaged in the copy; it was in the folder, too. */
  readonly findings: readonly Finding[];
}

/** What is copied besides records, uploads and answers; keys, and what is made anew, are not. */
const copied = [
  { folder: [], form: /^(connections|server|storage|job)\.json$/ },
  { folder: ["drafts"], form: /^draft_\w+(\.trials)?\.json$/ },
  { folder: [priceFolder], form: priceFile },
  { folder: [listFolder], form: listFile },
  { folder: ["origins"], form: /^batch_\w+\.json$/ },
  { folder: ["sources", "*"], form: /^(?!.*\.(part|tmp)$)/ },
] as const;

/** Of files that are appended to, all whole lines are copied. */
const appended = [
  { folder: ["verdicts"], form: /^batch_\w+\.jsonl$/ },
  { folder: ["grades"], form: /^batch_\w+\.jsonl$/ },
  { folder: ["answers"], form: /^batch_\w+\.held$/ },
  { folder: [], form: /^verifications\.jsonl$/ },
  { folder: [judgeCallFolder], form: judgeCallFile },
] as const;

/** The verdicts and grades of a model on the command line. */
const verdictsFile = "verdicts.jsonl";

/**
 * Copies a data folder with its jobs while a Sheaf may be at work in it. The copy gets its name when it is whole, on the disk, and examined.
 * Rejects with a FolderError where there is nothing to copy, or something in the way.
 */
export async function backUpFolder(
  dir: string,
  out: string,
  machine: Machine,
  watching: Watching = {},
): Promise<Backup> {
  const target = resolve(out);
  if (isInside(target, [resolve(dir)])) throw new FolderError(`${out} is in ${dir}: choose another place.`);
  const there = await stat(target).catch(() => null);
  if (there !== null && !there.isDirectory()) throw new FolderError(`${out} is a file. Choose another name.`);
  if (there !== null && (await readdir(target)).length > 0)
    throw new FolderError(`${out} is not empty. Choose a new or empty folder.`);
  await assertReadable(dir);
  const jobs = await listJobFolders(dir);
  const { journal, rows } = readRecords(dir);
  if (journal === "lost" || (journal === "none" && jobs.length === 0)) {
    throw new FolderError(`${dir} has no readable journal. Check the folder.`, { isDamage: true });
  }
  const steps = countSteps(watching);
  steps.expect(rows.batches.size + rows.files.size + jobs.length);
  const swept = await sweepParts(target, machine);
  const part = `${target}.part-${randomBytes(4).toString("hex")}`;
  let held: HeldFolder | null = null;
  try {
    makeFolder(part);
    held = await lockDataDir(part, { machine });
    const whole = await copyRecords(dir, part, steps);
    const removed = [...whole.removed];
    let { bytes } = whole;
    for (const job of jobs) {
      steps.step();
      if (existsSync(join(dir, job, verdictsFile))) {
        bytes += (await copyPart(join(dir, job, verdictsFile), join(part, job, verdictsFile), "lines")) ?? 0;
      }
      if (readRecords(join(dir, job)).journal === "none") continue;
      const found = await copyRecords(join(dir, job), join(part, job), withinStep(steps));
      removed.push(...found.removed);
      bytes += found.bytes;
    }
    const { findings, batches, deleted, files } = await examineInSteps(part, machine, steps);
    steps.assertWanted();
    held.release();
    if (existsSync(target)) await rmdir(target);
    await rename(part, target);
    await syncFolder(dirname(target));
    return { batches, deleted, files, bytes, removed, swept, findings };
  } catch (error) {
    held?.release();
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** Removes half made copies of processes that have ended; one that is alive holds its own. */
async function sweepParts(target: string, machine: Machine): Promise<string[]> {
  const folder = dirname(target);
  const swept: string[] = [];
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const path = join(folder, name);
    if (!name.startsWith(`${basename(target)}.part-`) || !/\.part-[0-9a-f]{8}$/.test(name)) continue;
    try {
      (await lockDataDir(path, { machine })).release();
    } catch (error) {
      if (error instanceof DataDirError) continue;
      throw error;
    }
    await rm(path, { recursive: true, force: true });
    swept.push(path);
  }
  return swept;
}

/** One folder without its jobs: the records as they are at first, then what they name as far as it is there. */
async function copyRecords(dir: string, out: string, steps: Steps): Promise<{ bytes: number; removed: string[] }> {
  const records = readRecords(dir);
  const { files, batches } = records.rows;
  let bytes = 0;
  const copy = async (path: string, size?: number | "lines") => {
    const length = await copyPart(join(dir, path), join(out, path), size);
    bytes += length ?? 0;
    return length !== null;
  };
  /** Up to where the answer files of batches are copied: what their ledgers have. */
  const ends = new Map<string, number>();
  for (const { id } of batches.values()) {
    steps.step();
    await copy(join(ledgerFolder, id));
  }
  nameNewFiles(records, readRecords(dir));
  for (const batch of batches.values()) {
    const { answers, reading } = await readEntered(out, records, batch, dir);
    if (reading.size === 0) continue;
    await truncate(join(out, ledgerFolder, batch.id), reading.size);
    for (const file of ["output", "error"] as const) {
      const fileId = batch[`${file}FileId`];
      if (fileId !== null) ends.set(fileId, measureEntered(answers, file).end);
    }
  }
  const missing: string[] = [];
  for (const { id, bytes: size, sha256 } of files.values()) {
    steps.step();
    if (!(await copy(join("files", id), sha256 === null ? (ends.get(id) ?? "lines") : size))) missing.push(id);
  }
  for (const { folder, form } of copied)
    for (const path of findNames(dir, folder, form)) {
      steps.assertWanted();
      await copy(path);
    }
  for (const { folder, form } of appended) for (const path of findNames(dir, folder, form)) await copy(path, "lines");
  const removed = leaveOutRemoved(records, missing, readRecords(dir));
  makeFolder(join(out, "files"));
  await writeCopiedJournal(out, records);
  return { bytes, removed };
}

/** The answer files that batches began while their ledgers were copied. */
function nameNewFiles({ rows }: FolderRecords, { rows: now }: FolderRecords): void {
  for (const [id, batch] of rows.batches) {
    for (const field of ["outputFileId", "errorFileId"] as const) {
      const fileId = batch[field] ?? now.batches.get(id)?.[field] ?? null;
      const file = fileId === null ? undefined : now.files.get(fileId);
      if (batch[field] !== null || file === undefined) continue;
      rows.files.set(file.id, file);
      rows.batches.set(id, { ...(rows.batches.get(id) ?? batch), [field]: file.id });
    }
  }
}

/** Takes what is no longer recorded from the records of the copy; what is missing all the same is damage, and stays. */
function leaveOutRemoved({ rows }: FolderRecords, missing: readonly string[], { rows: now }: FolderRecords): string[] {
  const removed = missing.filter((id) => !now.files.has(id));
  for (const id of removed) rows.files.delete(id);
  for (const id of rows.batches.keys()) {
    if (now.batches.has(id)) continue;
    rows.batches.delete(id);
    removed.push(id);
  }
  return removed;
}

const newline = 0x0a;

/** Copies as many bytes of a file, or its whole lines, and brings them to the disk. Answers with how many; null where there is none. */
async function copyPart(path: string, target: string, size: number | "lines" = Number.POSITIVE_INFINITY) {
  makeFolder(dirname(target));
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  const file = await open(target, "r+");
  try {
    const about = await file.stat();
    const wanted = size === "lines" ? await findLastLine(file, about.size) : Math.min(size, about.size);
    if (wanted < about.size) await file.truncate(wanted);
    await file.sync();
    return wanted;
  } finally {
    await file.close();
  }
}

/** Where the last line with a line end ends. */
async function findLastLine(file: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await file.read(chunk, 0, end - start, start);
    const at = chunk.subarray(0, bytesRead).lastIndexOf(newline);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
