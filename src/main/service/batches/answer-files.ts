import type { EndpointReply } from "../ports.ts";
import {
  type AnswerFacts,
  type AnswerFile,
  type LineIndex,
  openTimings,
  reusedTime,
  type Timing,
  toFacts,
} from "../results/index.ts";
import type { BatchParts } from "./parts.ts";
import { type Appended, openResultFile } from "./result-file.ts";

/** A request that an answer is for. */
export interface AnsweredRequest {
  readonly line: number;
  readonly customId: string;
}

/** The output file and the error file of a batch, while it writes them. */
export interface AnswerFiles {
  /**
   * Records an engine's reply: in the output file when it is an answer, else in the error file. `reused`: the
   * reply was given to another line.
   */
  answer(
    request: AnsweredRequest & { requestId: string },
    reply: Pick<EndpointReply, "statusCode" | "body">,
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

interface About {
  readonly line: number;
  readonly skipped: boolean;
  readonly milliseconds: number | null;
  readonly reused: boolean;
  readonly facts: AnswerFacts;
}

/** How many lines have been answered, well or with an error; `reused` of them with an answer that was there already. */
export type CountAnswers = (completed: number, failed: number, reused: number) => void;

/**
 * Opens the files of a batch behind the last whole line that the index knows of. Whenever lines are on disk they are in
 * the index, and then `onCounts` is called with how many there are; with those that were there already at once.
 */
export async function openAnswerFiles(
  parts: Pick<BatchParts, "store" | "watchExpiry" | "clock" | "machine" | "ids" | "logger">,
  batchId: string,
  index: LineIndex,
  onCounts: CountAnswers,
): Promise<AnswerFiles> {
  const { ids, store } = parts;
  const timings = openTimings(store.timingsOf(batchId), parts);
  const before = readIndex(index);
  let { completed, failed, reused } = before;
  onCounts(completed, failed, reused);

  const openOne = (which: AnswerFile) => {
    const onWritten = (lines: readonly Appended<About>[]) => {
      for (const { about, start, length } of lines) {
        const { line, skipped, milliseconds, reused: isReused, facts } = about;
        index.record(line, { file: which, start, length, skipped, milliseconds, reused: isReused }, facts);
        if (isReused) reused += 1;
        if (which === "output") completed += 1;
        else if (!skipped) failed += 1;
      }
      timings.append(lines.flatMap(({ about }) => toTiming(about) ?? []));
      onCounts(completed, failed, reused);
    };
    return openResultFile<About>({ ...parts, batchId, which, startAt: before.ends[which], onWritten });
  };
  const output = await openOne("output");
  const error = await openOne("error").catch(async (reason: unknown) => {
    await output.abandon();
    throw reason;
  });
  const both = [output, error];

  return {
    answer({ line, customId, requestId }, { statusCode, body }, milliseconds) {
      const response = { status_code: statusCode, request_id: requestId, body };
      const result = { id: ids.create("batch_req"), custom_id: customId, response, error: null };
      (statusCode === 200 ? output : error).append(result, {
        line,
        skipped: false,
        milliseconds: milliseconds === "reused" ? null : milliseconds,
        reused: milliseconds === "reused",
        facts: toFacts(result),
      });
    },
    skip({ line, customId }, reason) {
      const result = { id: ids.create("batch_req"), custom_id: customId, response: null, error: reason };
      error.append(result, { line, skipped: true, milliseconds: null, reused: false, facts: toFacts(result) });
    },
    markReused(line) {
      const answer = index.answer(line);
      if (answer === null || answer.reused) return;
      index.record(line, { ...answer, milliseconds: null, reused: true });
      timings.append([{ line, milliseconds: reusedTime }]);
    },
    get queuedBytes() {
      return output.queuedBytes + error.queuedBytes;
    },
    async drained() {
      await Promise.all(both.map((file) => file.drained()));
    },
    async finish() {
      await Promise.all(both.map((file) => file.finish()));
      await timings.close();
    },
    async abandon() {
      await Promise.all(both.map((file) => file.abandon()));
      await timings.close();
    },
  };
}

function toTiming({ line, milliseconds, reused }: About): Timing | null {
  if (reused) return { line, milliseconds: reusedTime };
  return milliseconds === null ? null : { line, milliseconds };
}

/** The answers that an index knows of: how many, and where the last of each file ends. */
function readIndex(index: LineIndex) {
  const ends = { output: 0, error: 0 };
  let completed = 0;
  let failed = 0;
  let reused = 0;
  for (let line = 1; line <= index.total; line++) {
    const answer = index.answer(line);
    if (answer === null) continue;
    if (answer.file === "output") completed += 1;
    else if (!answer.skipped) failed += 1;
    if (answer.reused) reused += 1;
    ends[answer.file] = Math.max(ends[answer.file], answer.start + answer.length + 1);
  }
  return { completed, failed, reused, ends };
}
