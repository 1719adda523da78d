import { type AnswerEnd, finalStatuses } from "#contract";
import type { EndpointReply } from "#main/base";
import { type LineIndex, measure, type OpenedIndex, toFacts } from "#main/results";
import type { Store } from "#main/storage";
import { type AnswerFacts, type AnswerFile, countEntered, type LedgerAnswer, openLedger } from "#main/storage";
import type { BatchDeps } from "./deps.ts";
import { type Appended, openResultFile, type ResultFile } from "./result-file.ts";
import { type AnswerCounts, withAnswers } from "./state.ts";

/** A request that an answer is for. */
export interface AnsweredRequest {
  readonly line: number;
  /** Null for a request that is damaged on disk. */
  readonly customId: string | null;
}

/** The output file and the error file of a batch, while it writes them. */
export interface AnswerFiles {
  /**
   * Records an engine's reply: in the output file when it is an answer, else in the error file. `reused`: the
   * reply was given to another line.
   */
  answer(
    request: AnsweredRequest & { requestId: string },
    reply: GivenReply,
    milliseconds: number | null | "reused",
  ): void;
  /** Marks an answer that is there as given to another line. */
  markReused(line: number): void;
  /** Records in the error file why a request was not answered. */
  skip(request: AnsweredRequest, error: { code: string; message: string }): void;
  /** Bytes that are not on disk yet. */
  readonly queuedBytes: number;
  /** Resolves when all is on disk; rejects when that was given up. */
  drained(): Promise<void>;
  /** Closes both files and completes their records. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes both files as they are, to continue after a restart. */
  abandon(): Promise<void>;
}

/** What a line was answered with. */
export type GivenReply = Pick<EndpointReply, "statusCode" | "body">;

interface About {
  readonly line: number;
  readonly skipped: boolean;
  readonly milliseconds: number | null;
  readonly reused: boolean;
  readonly status: number | null;
  readonly facts: AnswerFacts;
}

/**
 * Opens the files of a batch behind the last answer that its index knows of. Whenever answers are in their file and the ledger they are in
 * the index, and then `onCounts` is called with how many there are; with those that were there already at once.
 */
export async function openAnswerFiles(
  parts: Pick<BatchDeps, "store" | "watchExpiry" | "clock" | "machine" | "ids" | "logger">,
  batchId: string,
  { index, ledger: before, supersededEnds, missing }: OpenedIndex,
  onCounts: (counts: AnswerCounts) => void,
): Promise<AnswerFiles> {
  const { ids, store } = parts;
  const { durability } = store;
  const ledger = openLedger(store.ledgerOf(batchId), before, { ...parts, durability });
  const counts = countAnswers(index);

  const openOne = (which: AnswerFile) => {
    const toAnswer = ({ about, start, length, checksum }: Appended<About>): LedgerAnswer => {
      return { ...about, file: which, start, length, checksum, damaged: false };
    };
    const enter = (lines: readonly Appended<About>[]) => ledger.append(lines.map(toAnswer));
    const onWritten = (lines: readonly Appended<About>[]) => {
      for (const appended of lines) {
        const { line, facts } = appended.about;
        // A late answer takes the place of an error: the line is counted once.
        countLine(counts, index, line, -1);
        // What the ledger can't keep would change the batch's cost with the next start.
        index.record(line, toAnswer(appended), ledger.hasBills ? facts : { ...facts, bill: undefined });
        countLine(counts, index, line, 1);
      }
      onCounts(counts);
    };
    const startAt = Math.max(measure(index, which).end, supersededEnds[which]);
    return openResultFile<About>({ ...parts, batchId, which, startAt, enter, onWritten });
  };
  const opened: ResultFile<About>[] = [];
  try {
    if (missing.length > 0) ledger.append(missing);
    for (const which of ["output", "error"] as const) opened.push(await openOne(which));
    // Before its first answer: what has answers and no ledger is from before there were ledgers.
    if (before.size === 0) await durability.synced();
  } catch (error) {
    await Promise.all([...opened.map((file) => file.abandon()), ledger.close()]);
    throw error;
  }
  const [output, error] = opened as [ResultFile<About>, ResultFile<About>];
  onCounts(counts);

  return {
    answer({ line, customId, requestId }, { statusCode, body }, milliseconds) {
      const response = { status_code: statusCode, request_id: requestId, body };
      const result = { id: ids.create("batch_req"), custom_id: customId, response, error: null };
      (statusCode === 200 ? output : error).append(result, {
        line,
        skipped: false,
        milliseconds: milliseconds === "reused" ? null : milliseconds,
        reused: milliseconds === "reused",
        status: statusCode,
        facts: toFacts(result),
      });
    },
    skip({ line, customId }, reason) {
      const result = { id: ids.create("batch_req"), custom_id: customId, response: null, error: reason };
      const facts = toFacts(result);
      error.append(result, { line, skipped: true, milliseconds: null, reused: false, status: null, facts });
    },
    markReused(line) {
      const answer = index.answer(line);
      if (answer === null || answer.reused) return;
      const marked = { ...answer, milliseconds: null, reused: true };
      ledger.append([
        { ...marked, line, status: answer.file === "output" ? 200 : null, facts: index.columns.facts(line - 1) },
      ]);
      index.record(line, marked);
    },
    get queuedBytes() {
      return output.queuedBytes + error.queuedBytes;
    },
    async drained() {
      await Promise.all(opened.map((file) => file.drained()));
    },
    async finish() {
      await Promise.all(opened.map((file) => file.finish()));
      await ledger.close();
    },
    async abandon() {
      await Promise.all(opened.map((file) => file.abandon()));
      await ledger.close();
    },
  };
}

/** Counts while they change. */
interface OpenCounts extends AnswerCounts {
  completed: number;
  failed: number;
  reused: number;
  awaited: number;
  readonly ends: Partial<Record<AnswerEnd, number>>;
}

function countAnswers(index: LineIndex): OpenCounts {
  const counts: OpenCounts = { completed: 0, failed: 0, reused: 0, awaited: 0, ends: {} };
  for (let line = 1; line <= index.total; line++) countLine(counts, index, line, 1);
  return counts;
}

/** Adds the outcome of a line to the counts, or takes it out of them. */
function countLine(counts: OpenCounts, index: LineIndex, line: number, change: 1 | -1): void {
  const answer = index.answer(line);
  if (answer === null) return;
  if (answer.reused) counts.reused += change;
  if (answer.file === "output") {
    counts.completed += change;
    const { end } = index.columns.facts(line - 1);
    if (end !== null) counts.ends[end] = (counts.ends[end] ?? 0) + change;
  } else if (!answer.skipped) counts.failed += change;
  if (index.isAwaited(line)) counts.awaited += change;
}

/**
 * What was shown last of the batches that go on: how many of their lines are answered. Until their indexes have been read, which
 * compares each answer that may be lost, it would be what their records had when they were last written.
 */
export async function restoreCounts({ batches, ledgerOf }: Pick<Store, "batches" | "ledgerOf">): Promise<void> {
  for (const batch of batches.list()) {
    const { id, status, counts } = batch;
    if (finalStatuses.has(status) || counts.total === 0) continue;
    const entered = await countEntered(ledgerOf(id), counts.total);
    if (entered === null) continue;
    batches.setWithoutJournal(withAnswers(batch, entered));
  }
}
