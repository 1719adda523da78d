import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { finalStatuses, formatCount } from "#contract";
import { readRequestLines } from "#main/results";
import type { AnswerFile } from "#main/storage";
import {
  type BatchRecord,
  type FolderRecords,
  findNames,
  findUnsound,
  hasShiftedRecords,
  shortList,
} from "#main/storage";
import { compareAnswers, type EnteredAnswers, ledgerFolder, measureEntered, readEntered, sizeOf } from "./answers.ts";
import type { Finding } from "./findings.ts";
import type { Steps } from "./steps.ts";

/** Answers that are not as they were written, and ledgers that don't have them all. `damagedFiles`: those of which that is known. */
export async function checkAnswers(
  dir: string,
  records: FolderRecords,
  damagedFiles: ReadonlySet<string>,
  steps: Steps,
): Promise<Finding[]> {
  const { rows } = records;
  const found: Finding[] = [];
  for (const batch of rows.batches.values()) {
    steps.step();
    const entered = await readEntered(dir, records, batch);
    const { outputFileId, errorFileId } = batch;
    const isEntered = [outputFileId, errorFileId].some((id) => id !== null && rows.files.get(id)?.sha256 === null);
    const ledger = await checkLedger(dir, batch, entered, isEntered);
    if (ledger !== null) found.push(ledger);
    found.push(...(await findDamaged(dir, batch, entered, steps)));
    const index = join("indexes", batch.id);
    if (!existsSync(join(dir, index)) || damagedFiles.has(batch.inputFileId)) continue;
    if ((await readRequestLines(join(dir, index), batch.counts.total)) !== null) continue;
    const message = "Another version wrote this, or it is damaged. Sheaf rebuilds it when needed.";
    found.push({
      kind: "index_damaged",
      path: index,
      line: null,
      ids: [],
      message,
      isDamage: false,
      repair: "removed",
    });
  }
  for (const path of findNames(dir, [ledgerFolder], /^batch_\w+$/)) {
    if (records.journal === "lost" || rows.batches.has(path.slice(ledgerFolder.length + 1))) continue;
    const message = "No record names the batch of this ledger.";
    const repair = "moved to quarantine";
    found.push({ kind: "file_unknown", path, line: null, ids: [], message, isDamage: false, repair });
  }
  return found;
}

/** `isEntered`: the ledger alone has checksums of its answers. */
async function checkLedger(
  dir: string,
  { id, status }: BatchRecord,
  entered: EnteredAnswers,
  isEntered: boolean,
): Promise<Finding | null> {
  const { path, reading, answers, unnamed, files } = entered;
  const about = { path: relative(dir, path), line: null, ids: [id] };
  const hasEnded = finalStatuses.has(status);
  const hasAnswers = [files.output, files.error].some((file) => file !== null && sizeOf(file) > 0);
  const repair = (await isTornLedger(entered, hasEnded))
    ? null
    : "what is missing made anew from the answer files; a copy kept in quarantine";
  if (reading.size === 0) {
    // Batches from before ledgers have none.
    const isExpected = isEntered && (hasEnded || existsSync(path));
    if (!hasAnswers || (sizeOf(path) === 0 && !isExpected)) return null;
    const what = existsSync(path) ? "Nothing in it is an entry of this batch." : "It is missing.";
    const message = `${what} The answer files are read in its place, without being checked.`;
    // A power cut leaves zeros behind the first line of a new ledger.
    const isDamage = hasEnded || !reading.hasHeader;
    return { ...about, kind: "ledger_replaced", message, isDamage, repair };
  }
  const missing = (["output", "error"] as const).reduce((sum, file) => {
    const size = hasEnded && files[file] !== null ? sizeOf(files[file]) : 0;
    return sum + measureEntered(answers, file, size).missing;
  }, 0);
  const isShifted = !hasEnded && (await hasShiftedRecords(path, reading));
  const records = reading.damaged === 0 ? null : `${formatCount(reading.damaged, "record")} can't be read`;
  if (missing === 0 && unnamed.size === 0 && !isShifted) {
    if (records === null) return null;
    const message = `${records}, and nothing is missing for it: each answer has an entry.`;
    return { ...about, kind: "ledger_damaged", message, isDamage: false, repair: null };
  }
  const lost = [
    ...(records === null ? [] : [records]),
    ...(missing > 0 ? [`${formatCount(missing, "byte")} of answers have no entry`] : []),
    ...(unnamed.size > 0 ? [`${formatCount(unnamed.size, "entry", "entries")} of answers lost a name`] : []),
    ...(isShifted ? ["bytes are missing before the last entries"] : []),
  ].join(", ");
  const message = `${lost.charAt(0).toUpperCase()}${lost.slice(1)}. What is missing is read from the answer files.`;
  return { ...about, kind: "ledger_damaged", message, isDamage: true, repair };
}

/** Whether a running batch stopped in the middle of an entry. The next start cuts the ledger there and sends those requests again. */
async function isTornLedger({ reading, files, place }: EnteredAnswers, hasEnded: boolean): Promise<boolean> {
  if (hasEnded || reading.size === 0) return false;
  return (await findUnsound(place, reading, files)) !== null;
}

/** Answers that are not as they were written, by the file that they are in. */
async function findDamaged(
  dir: string,
  { id, status }: BatchRecord,
  entered: EnteredAnswers,
  steps: Steps,
): Promise<Finding[]> {
  const damaged = { output: new Set<number>(), error: new Set<number>() };
  const torn = { output: new Set<number>(), error: new Set<number>() };
  for await (const { answer, bytes } of compareAnswers(entered)) {
    steps.assertWanted();
    // Nobody reads an error that was followed by an answer.
    if (bytes !== null || answer.isSuperseded) continue;
    // A start of a batch that runs compares these, too, and asks them again.
    const isTorn = !answer.isSynced && !answer.damaged && !finalStatuses.has(status);
    (isTorn ? torn : damaged)[answer.file].add(answer.line);
  }
  const report = (file: AnswerFile, lines: ReadonlySet<number>, isDamage: boolean): Finding[] => {
    const path = entered.files[file];
    if (path === null || lines.size === 0) return [];
    const what = `Of batch ${id} ${formatCount(lines.size, "answer is", "answers are")} not as written`;
    const which = `${lines.size === 1 ? "line" : "lines"} ${shortList([...lines].map((line) => `${line}`))} of its input`;
    const meaning = isDamage
      ? "They are shown as damaged, and can be asked again."
      : "They were being written when the computer ended, and are asked again.";
    const message = `${what} (${which}). ${meaning}`;
    return [
      { kind: "answer_damaged", path: relative(dir, path), line: null, ids: [id], message, isDamage, repair: null },
    ];
  };
  return (["output", "error"] as const).flatMap((file) => [
    ...report(file, damaged[file], true),
    ...report(file, torn[file], false),
  ]);
}
