import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type AnswerFile,
  type AnswerPlace,
  type BatchRecord,
  type FolderRecords,
  type LedgerAnswer,
  type LedgerPlace,
  type LedgerReading,
  placesIn,
  readAnswerLines,
  readLedger,
} from "#main/storage";

/** What is kept in memory of an entry: a batch may have a million. */
export interface EnteredAnswer extends AnswerPlace, Pick<LedgerAnswer, "line" | "damaged"> {
  /** Whether a mark says that its bytes were on the disk. */
  readonly isSynced: boolean;
  /** Whether a later entry has taken its place, as an answer that came after an error does. */
  readonly isSuperseded: boolean;
}

/** The answers of a batch by its ledger. */
export interface EnteredAnswers {
  /** Where the ledger is, which need not be there. */
  readonly path: string;
  readonly place: LedgerPlace;
  readonly reading: LedgerReading;
  /** Entries of files that the batch has, in their order. */
  readonly answers: readonly EnteredAnswer[];
  /** Lines of which a name is lost. */
  readonly unnamed: ReadonlySet<number>;
  /** Where the files are; null for one that the batch does not have. */
  readonly files: Readonly<Record<AnswerFile, string | null>>;
}

export const ledgerFolder = "answers";

/** Reads the ledger of a batch; `filesFrom`: the folder with its answers, where that is another one. */
export async function readEntered(
  dir: string,
  { rows, folder }: Pick<FolderRecords, "rows" | "folder">,
  { id, outputFileId, errorFileId }: Pick<BatchRecord, "id" | "outputFileId" | "errorFileId">,
  filesFrom = dir,
): Promise<EnteredAnswers> {
  const path = join(dir, ledgerFolder, id);
  const place = { path, folder: folder ?? "", batch: id };
  const find = (fileId: string | null) => {
    if (fileId === null || rows.files.get(fileId) === undefined) return null;
    const found = join(placesIn(filesFrom).files, fileId);
    return existsSync(found) ? found : null;
  };
  const files = { output: find(outputFileId), error: find(errorFileId) };
  const answers: (EnteredAnswer & { isSynced: boolean; isSuperseded: boolean })[] = [];
  const latest = new Map<number, { file: AnswerFile; start: number; isSuperseded: boolean }>();
  const places: number[] = [];
  const unnamed = new Set<number>();
  const reading = await readLedger(place, ({ answer, isNamed, at }) => {
    if (isNamed) unnamed.delete(answer.line);
    else unnamed.add(answer.line);
    const { line, file, start, length, checksum, damaged } = answer;
    if (files[file] === null) return;
    const before = latest.get(line);
    if (before !== undefined) before.isSuperseded = before.file !== file || before.start !== start;
    const entered = { line, file, start, length, checksum, damaged, isSynced: false, isSuperseded: false };
    latest.set(line, entered);
    answers.push(entered);
    places.push(at);
  });
  for (const [nth, answer] of answers.entries()) answer.isSynced = (places[nth] ?? 0) < reading.synced;
  return { path, place, reading, answers, unnamed, files };
}

/** Answers that are compared at a time. */
const step = 1_000;

/** Each entry with the bytes of its line; null for one that is not as it was written. */
export async function* compareAnswers({ answers, files }: Pick<EnteredAnswers, "answers" | "files">) {
  for (let at = 0; at < answers.length; at += step) {
    const some = answers.slice(at, at + step);
    const lines = await readAnswerLines(files, some);
    for (const [nth, answer] of some.entries()) {
      yield { answer, bytes: answer.damaged ? null : (lines[nth] ?? null) };
    }
  }
}

/** Where the last line of a file ends that has an entry, and how many bytes of it have none: before that, or before `size`. */
export function measureEntered(answers: readonly EnteredAnswer[], file: AnswerFile, size = 0) {
  const lengths = new Map<number, number>();
  let end = 0;
  for (const { file: own, start, length } of answers) {
    if (own !== file) continue;
    lengths.set(start, length + 1);
    end = Math.max(end, start + length + 1);
  }
  const covered = lengths.values().reduce((sum, length) => sum + length, 0);
  return { end, missing: Math.max(end, size) - covered };
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
