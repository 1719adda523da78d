import { crc32 } from "node:zlib";
import type { WrittenLine } from "#contract";
import type { EndpointReply } from "#main/base";
import { measure, type OpenedIndex, toFacts } from "#main/results";
import { type AnswerFile, type LedgerAnswer, openLedger } from "#main/storage";
import { countAnswers, countLine } from "./answer-counts.ts";
import type { BatchDeps } from "./deps.ts";
import { openResultFile, type ResultFile } from "./result-file.ts";
import type { AnswerCounts } from "./state.ts";
import { createWriteQueue } from "./write-queue.ts";

/** What a line was answered with. */
export type GivenReply = Pick<EndpointReply, "statusCode" | "body">;

/** What became of a request: a reply, or the reason why it never got one. */
export type NewAnswer = {
  readonly line: number;
  /** Null for a request that is damaged on disk. */
  readonly customId: string | null;
} & (
  | {
      readonly requestId: string;
      readonly reply: GivenReply;
      /** Null where not known. */
      readonly milliseconds: number | null;
      /** Whether the reply was given to another line; it was not by default. */
      readonly isReused?: boolean;
    }
  | { readonly reply: null; readonly reason: { readonly code: string; readonly message: string } }
);

/** The answers of a batch, while they are written: the output file, the error file, the ledger and the index. */
export interface AnswerFiles {
  /** Writes it to the output file where it is an answer, else to the error file. Throws when the disk doesn't take the record of the file. */
  append(answer: NewAnswer): void;
  /** Marks an answer that is there as given to another line. */
  markReused(line: number): void;
  /** Bytes that are not on disk yet. */
  readonly queuedBytes: number;
  /** Resolves when all is on disk; rejects when that was given up. */
  drained(): Promise<void>;
  /** Closes both files and completes their records. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes both files as they are, to continue after a restart. */
  abandon(): Promise<void>;
}

/** A line that is to be written, with what the ledger has of it besides its place. */
interface Line {
  readonly bytes: Buffer;
  readonly checksum: number;
  readonly about: Omit<LedgerAnswer, "start" | "length" | "checksum">;
}

type Deps = Pick<BatchDeps, "store" | "watchExpiry" | "clock" | "machine" | "ids" | "logger">;

/** Between two attempts to write to a disk that refuses (because it is full, say), in milliseconds. */
const retryDelay = 1_000;

/**
 * Opens the files of a batch behind the last answer that its index knows of. Whenever answers are in their file and the ledger they are in
 * the index, and then `onCounts` is called with how many there are; with those that were there already at once.
 */
export async function openAnswerFiles(
  parts: Deps,
  batchId: string,
  { index, ledger: before, supersededEnds, missing }: OpenedIndex,
  onCounts: (counts: AnswerCounts) => void,
): Promise<AnswerFiles> {
  const { ids, store, machine, logger } = parts;
  const { durability } = store;
  const ledger = openLedger(store.ledgerOf(batchId), before, { ...parts, durability });
  const counts = countAnswers(index);
  const files = new Map<AnswerFile, ResultFile>();
  const closeAll = async () => {
    await Promise.all(Array.from(files.values(), (file) => file.close()));
    await ledger.close();
  };
  try {
    if (missing.length > 0) ledger.append(missing);
    for (const which of ["output", "error"] as const) {
      const startAt = Math.max(measure(index, which).end, supersededEnds[which]);
      files.set(which, await openResultFile(parts, batchId, which, startAt));
    }
    // Before its first answer: what has answers and no ledger is from before there were ledgers.
    if (before.size === 0) await durability.synced();
  } catch (error) {
    await closeAll();
    throw error;
  }
  onCounts(counts);

  /** First the bytes, then their entries. A write that failed half way is done over in the same place. Null when given up. */
  async function write(file: ResultFile, lines: readonly Line[], signal: AbortSignal) {
    const bytes = Buffer.concat(lines.map((line) => line.bytes));
    let answers: readonly LedgerAnswer[] | null = null;
    let isEntered = false;
    while (!signal.aborted) {
      try {
        answers ??= locate(lines, await file.write(bytes));
        if (!isEntered) ledger.append(answers);
        isEntered = true;
        if (durability.mode === "always") await durability.synced();
        return answers;
      } catch (error) {
        // What the disk refuses it says itself, once.
        if (durability.disk.report(error) === null) {
          logger.error("Answers can't be written; trying again", { error: String(error) });
        }
        await machine.sleep(retryDelay, signal).catch(() => {});
      }
    }
    return null;
  }

  function enter(answers: readonly LedgerAnswer[]): void {
    for (const answer of answers) {
      const { line, facts } = answer;
      // A late answer takes the place of an error: the line is counted once.
      countLine(counts, index, line, -1);
      // What the ledger can't keep would change the batch's cost with the next start.
      index.record(line, answer, ledger.hasBills ? facts : { ...facts, bill: undefined });
      countLine(counts, index, line, 1);
    }
    onCounts(counts);
  }

  const queue = createWriteQueue<Line>(parts, async (lines, signal) => {
    for (const [which, some] of Map.groupBy(lines, ({ about }) => about.file)) {
      const file = files.get(which);
      const answers = file === undefined ? null : await write(file, some, signal);
      if (answers === null) return;
      queue.settle(some);
      enter(answers);
    }
  });

  return {
    append(answer) {
      const result = { id: ids.create("batch_req"), ...toWritten(answer) };
      const bytes = Buffer.from(`${JSON.stringify(result)}\n`);
      const { line, reply } = answer;
      const file: AnswerFile = reply?.statusCode === 200 ? "output" : "error";
      const about = {
        ...{ line, file, skipped: reply === null, damaged: false, status: reply?.statusCode ?? null },
        milliseconds: reply === null ? null : answer.milliseconds,
        reused: reply !== null && answer.isReused === true,
        facts: toFacts(result),
      };
      files.get(file)?.register();
      queue.add({ bytes, checksum: crc32(bytes), about });
    },
    markReused(line) {
      const answer = index.answer(line);
      if (answer === null || answer.reused) return;
      const marked = { ...answer, milliseconds: null, reused: true };
      const status = answer.file === "output" ? 200 : null;
      ledger.append([{ ...marked, line, status, facts: index.columns.facts(line - 1) }]);
      index.record(line, marked);
    },
    get queuedBytes() {
      return queue.bytes;
    },
    drained: queue.drained,
    async finish() {
      await queue.drained();
      await Promise.all(Array.from(files.values(), (file) => file.finish()));
      await ledger.close();
    },
    async abandon() {
      await queue.stop();
      await closeAll();
    },
  };
}

function toWritten(answer: NewAnswer): Omit<WrittenLine, "id"> {
  const { customId: custom_id } = answer;
  if (answer.reply === null) return { custom_id, response: null, error: answer.reason };
  const { statusCode: status_code, body } = answer.reply;
  return { custom_id, response: { status_code, request_id: answer.requestId, body }, error: null };
}

/** The answers of lines that were written together from that byte on. */
function locate(lines: readonly Line[], first: number): LedgerAnswer[] {
  let start = first;
  return lines.map(({ bytes, checksum, about }) => {
    const at = start;
    start += bytes.length;
    return { ...about, start: at, length: bytes.length - 1, checksum };
  });
}
