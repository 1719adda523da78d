import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Machine } from "#main/base";
import { type FolderRecords, isDeleted, isErrno, listNotFiles, readRecords } from "#main/storage";
import { checkAnswers } from "./check-answers.ts";
import { checkFiles, checkJournal, checkPrices } from "./check-records.ts";
import { checkSmallFiles } from "./check-small-files.ts";
import type { Finding } from "./findings.ts";
import { FolderError } from "./folder-error.ts";
import { countSteps, type Steps, type Watching, withinStep } from "./steps.ts";

/** What was looked at. */
export interface Examined {
  readonly findings: readonly Finding[];
  readonly batches: number;
  /** Of these, how many are deleted and can be restored. */
  readonly deleted: number;
  readonly files: number;
}

/**
 * Reads all of a data folder, with the jobs of the command line in it, and says what is not as it was written. Nothing is locked or written: a
 * Sheaf may be at work there. Rejects with a DataDirError for a folder of a newer version, and with a FolderError for none.
 */
export async function examineFolder(dir: string, machine: Machine, watching: Watching = {}): Promise<Examined> {
  return await examineInSteps(dir, machine, countSteps(watching));
}

/** The same as part of more: `steps` counts them together. */
export async function examineInSteps(dir: string, machine: Machine, steps: Steps): Promise<Examined> {
  const jobs = await listJobFolders(dir);
  steps.expect(jobs.length);
  const { findings, ...own } = await examineOne(dir, machine, steps);
  // Of who works on the command line alone, there are connections and jobs.
  if (!own.hasRecords && jobs.length === 0) throw new FolderError(`${dir} is no data folder: it has no journal.`);
  let { batches, deleted, files } = own;
  const found = [...findings];
  for (const job of jobs) {
    const examined = await examineOne(join(dir, job), machine, withinStep(steps));
    steps.step();
    found.push(...examined.findings.map((finding) => ({ ...finding, path: join(job, finding.path) })));
    batches += examined.batches;
    deleted += examined.deleted;
    files += examined.files;
  }
  return { findings: found, batches, deleted, files };
}

/** The same without the jobs. */
export async function examineOne(
  dir: string,
  machine: Machine,
  steps: Steps = countSteps({}),
): Promise<Examined & { readonly hasRecords: boolean }> {
  const notFiles = checkNames(dir);
  // Reading on might fail, or wait without end.
  if (notFiles.length > 0) return { findings: notFiles, batches: 0, deleted: 0, files: 0, hasRecords: true };
  const records = readRecords(dir);
  const { batches, files } = records.rows;
  steps.expect(files.size + batches.size);
  const damaged = await checkFiles(dir, records, steps);
  const answers = await checkAnswers(dir, records, new Set(damaged.flatMap(({ ids }) => ids)), steps);
  const findings = [
    ...checkJournal(records),
    ...leaveOutChanged(dir, records, [...damaged, ...answers, ...checkPrices(dir, records)]),
    ...(await checkSmallFiles(dir, machine, steps)),
  ];
  const deleted = [...batches.values()].filter((batch) => isDeleted(batch, batches)).length;
  return { findings, batches: batches.size, deleted, files: files.size, hasRecords: records.journal !== "none" };
}

/** Throws where something in the folder or in a job can't be read as a file: who copies it might wait for it without end. */
export async function assertReadable(dir: string): Promise<void> {
  for (const place of ["", ...(await listJobFolders(dir))]) {
    const [path] = listNotFiles(join(dir, place));
    if (path === undefined) continue;
    const what = "is a folder, a pipe or a link that leads nowhere";
    throw new FolderError(`${join(dir, place, path)} ${what}. Repair the data folder to move it to quarantine.`, {
      isDamage: true,
    });
  }
}

function checkNames(dir: string): Finding[] {
  return listNotFiles(dir).map((path) => ({
    kind: "not_a_file",
    path,
    line: null,
    ids: [],
    message:
      "It is a folder, a pipe or a broken link. Move it, then check again: until then, other damage can't be listed.",
    isDamage: true,
    repair: "moved to quarantine, as at each start",
  }));
}

/** A Sheaf at work may have changed or removed meanwhile what a finding is about. */
function leaveOutChanged(dir: string, before: FolderRecords, found: readonly Finding[]): readonly Finding[] {
  if (found.length === 0) return found;
  const { rows } = readRecords(dir);
  const isAsBefore = (id: string) =>
    isDeepStrictEqual(rows.files.get(id), before.rows.files.get(id)) &&
    rows.batches.has(id) === before.rows.batches.has(id);
  const isKnown = (id: string) => rows.files.has(id) || rows.batches.has(id);
  return found.filter(({ kind, path, ids }) =>
    kind === "file_unknown" ? !isKnown(basename(path)) : ids.every(isAsBefore),
  );
}

/** The data folders of jobs, as paths in a data folder. */
export async function listJobFolders(dir: string): Promise<string[]> {
  try {
    const entries = await readdir(join(dir, "cli"), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join("cli", name));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
