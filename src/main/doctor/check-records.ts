import { existsSync } from "node:fs";
import { join } from "node:path";
import { formatCount } from "#contract";
import { isSoundContent } from "#main/batches";
import {
  type FileRecord,
  type FolderRecords,
  isErrno,
  listUploads,
  placesIn,
  priceFolder,
  shortList,
} from "#main/storage";
import { sizeOf } from "./answers.ts";
import type { Finding } from "./findings.ts";
import type { Steps } from "./steps.ts";

const journalPath = "journal.jsonl";

/** What is wrong with the journal. */
export function checkJournal(records: FolderRecords): Finding[] {
  const { journal, damages, torn, isTailLost, restored, unclear, rows } = records;
  const of = (finding: Pick<Finding, "kind" | "message" | "repair"> & Partial<Finding>): Finding => ({
    path: journalPath,
    line: null,
    ids: [],
    isDamage: true,
    ...finding,
  });
  const found: Finding[] = damages.map(({ line, missing, ids }) => {
    const lost = missing === 0 ? "stands in the wrong place or twice" : missing === 1 ? "is not as it was written" : "";
    const whose = ids.length > 0 ? ` It is about ${shortList(ids)}.` : "";
    const what = lost === "" ? `${missing} lines from ${line} on are damaged or missing.` : `Line ${line} ${lost}.`;
    return of({
      kind: "journal_line_damaged",
      line,
      ids,
      message: `${what}${whose}${missing > 0 ? " The version before it counts." : " No record is lost."}`,
      repair: "kept in quarantine; the journal written anew without it",
    });
  });
  if (journal === "previous") {
    found.push(
      of({
        kind: "journal_replaced",
        message:
          "The journal is missing, or nothing in it can be read. The one before it counts: later changes are lost.",
        repair: "journal.jsonl.previous taken in its place",
      }),
    );
  }
  if (journal === "lost") {
    const message =
      "The folder can't be opened: neither journal.jsonl nor journal.jsonl.previous can be read. Restore journal.jsonl from a copy, or register the uploads again at a start.";
    found.push(of({ kind: "journal_lost", message, repair: null }));
  }
  if (torn > 0) {
    const message = `The last ${formatCount(torn, "byte")} can't be read: they were being written when a process or the computer ended.`;
    found.push(of({ kind: "journal_tail_lost", message, isDamage: isTailLost, repair: "kept in quarantine" }));
  }
  if (rows.isDamaged && damages.length === 0) {
    found.push(
      of({
        kind: "damage_unconfirmed",
        message: "Damage found at a start is not confirmed yet. Until then, Sheaf deletes nothing.",
        repair: "confirmed",
      }),
    );
  }
  if (found.length > 0 && (restored.length > 0 || unclear.length > 0)) {
    const [first, ...rest] = found as [Finding, ...Finding[]];
    const older = restored.length > 0 ? ` Of ${shortList(restored)} an older version counts.` : "";
    const asked = unclear.length > 0 ? ` What was done for ${shortList(unclear)} is not known: its user decides.` : "";
    return [{ ...first, message: `${first.message}${older}${asked}` }, ...rest];
  }
  return found;
}

/** Uploads and answer files that are not as they were stored, and files that no record names. */
export async function checkFiles(dir: string, { rows, journal }: FolderRecords, steps: Steps): Promise<Finding[]> {
  const { files } = placesIn(dir);
  const found: Finding[] = [];
  for (const file of rows.files.values()) {
    const problem = await findProblem(file, join(files, file.id), steps.signal);
    steps.step();
    if (problem === null) continue;
    const path = join("files", file.id);
    found.push({ ...problem, path, line: null, ids: [file.id], isDamage: true, repair: null });
  }
  for (const name of listUploads(files)) {
    // A batch opens its answer files before their first line, and names them with it. Without a journal nothing is named.
    if (rows.files.has(name) || journal === "lost" || sizeOf(join(files, name)) === 0) continue;
    found.push({
      kind: "file_unknown",
      path: join("files", name),
      line: null,
      ids: [],
      message: "No record names this file.",
      isDamage: false,
      repair: "moved to quarantine, as at each start",
    });
  }
  return found;
}

/** Price records that batches name and that are not there; damaged ones are found by their folder. */
export function checkPrices(dir: string, { rows }: FolderRecords): Finding[] {
  const batches = Map.groupBy(rows.batches.values(), ({ prices }) => prices);
  return [...batches].flatMap(([prices, named]) => {
    const path = join(priceFolder, `${prices}.json`);
    if (prices === null || existsSync(join(dir, path))) return [];
    const ids = named.map(({ id }) => id);
    const message = `${prices}.json is missing. Costs of ${shortList(ids)} are by today's prices.`;
    return { kind: "record_damaged", path, line: null, ids, message, isDamage: true, repair: null };
  });
}

async function findProblem(
  file: FileRecord,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Pick<Finding, "kind" | "message"> | null> {
  const name = `${file.filename} (${file.id})`;
  if (!existsSync(path)) return { kind: "file_missing", message: `${name} is missing. Its record is kept.` };
  // Those that batches write are compared by their ledgers.
  if (file.sha256 === null) return null;
  try {
    if (await isSoundContent(path, file, signal)) return null;
  } catch (error) {
    if (!isErrno(error, "EIO")) throw error;
  }
  const message = `${name} has changed since it was stored. Downloads of it are refused, and batches that need it end.`;
  return { kind: "file_damaged", message };
}
