import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { AnswerFile } from "#main/storage";
import {
  type BatchRecord,
  type FolderRecords,
  isDeleted,
  makeFolder,
  parseJson,
  readRecords,
  streamLines,
} from "#main/storage";
import { compareAnswers, type EnteredAnswers, readEntered, sizeOf } from "./answers.ts";
import { assertReadable, listJobFolders } from "./examine-folder.ts";
import { FolderError } from "./folder-error.ts";

/** What of the answers of a batch was written to a file. */
export interface ExportedAnswers {
  readonly file: string;
  readonly batchId: string;
  /** Whether the batch is deleted and can be restored. */
  readonly isDeleted: boolean;
  readonly lines: number;
  /** Lines that are damaged. */
  readonly leftOut: number;
}

/**
 * Writes the sound answers of all batches of a data folder and its jobs to a folder, as JSON Lines as downloads have them: `<batch>.jsonl`, and
 * `<batch>.errors.jsonl` for what failed. Rejects with a FolderError where that folder is not empty.
 */
export async function exportAnswers(dir: string, out: string): Promise<ExportedAnswers[]> {
  if (existsSync(out) && (await readdir(out)).length > 0)
    throw new FolderError(`${out} is not empty. Choose a new or empty folder.`);
  await assertReadable(dir);
  makeFolder(out);
  const exported: ExportedAnswers[] = [];
  for (const folder of ["", ...(await listJobFolders(dir))]) {
    const records = readRecords(join(dir, folder));
    for (const batch of records.rows.batches.values()) {
      exported.push(...(await exportBatch(join(dir, folder), records, batch, out)));
    }
  }
  return exported;
}

async function exportBatch(dir: string, records: FolderRecords, batch: BatchRecord, out: string) {
  const written: ExportedAnswers[] = [];
  const entered = await readEntered(dir, records, batch);
  for (const [file, extension] of [
    ["output", "jsonl"],
    ["error", "errors.jsonl"],
  ] as const) {
    const path = entered.files[file];
    if (path === null) continue;
    const count = { lines: 0, leftOut: 0 };
    const sound = async function* () {
      for await (const bytes of entered.reading.size > 0 ? readSound(entered, file, path) : readReadable(path)) {
        if (bytes === null) count.leftOut += 1;
        else {
          count.lines += 1;
          yield bytes;
        }
      }
    };
    const name = `${batch.id}.${extension}`;
    await pipeline(sound, createWriteStream(join(out, name), { flags: "wx", mode: 0o600, flush: true }));
    written.push({ file: name, batchId: batch.id, isDeleted: isDeleted(batch, records.rows.batches), ...count });
  }
  return written;
}

/**
 * The lines of a file in their order, by their entries; of a line that was entered twice the later one. Whole lines without an entry,
 * which is damaged, or was never made, are among them.
 */
async function* readSound({ answers, files }: EnteredAnswers, file: AnswerFile, path: string) {
  const byStart = new Map(answers.filter((answer) => answer.file === file).map((answer) => [answer.start, answer]));
  const ordered = [...byStart.values()].sort((a, b) => a.start - b.start);
  let end = 0;
  for await (const { answer, bytes } of compareAnswers({ answers: ordered, files })) {
    if (answer.start > end) yield* readReadable(path, end, answer.start);
    if (!answer.isSuperseded) yield bytes;
    end = Math.max(end, answer.start + answer.length + 1);
  }
  const size = sizeOf(path);
  if (size > end) yield* readReadable(path, end, size);
}

const answerSchema = z.object({ custom_id: z.string().nullable(), response: z.unknown(), error: z.unknown() });

/** Lines without entries, such as all of a batch from before there were ledgers: it is known alone whether they can be read. */
async function* readReadable(path: string, start = 0, end = Number.POSITIVE_INFINITY) {
  for await (const line of streamLines(createReadStream(path, { start, end: end - 1 }))) {
    const isAnswer = line !== null && answerSchema.safeParse(parseJson(line)).success;
    yield isAnswer ? Buffer.from(`${line}\n`) : null;
  }
}
