import { rm } from "node:fs/promises";
import type { ResultLine } from "#contract";
import type { EngineReply } from "../ports.ts";
import type { AnswerFile, LineIndex } from "../results/index.ts";
import { openLineAppender } from "./line-appender.ts";
import type { BatchParts } from "./parts.ts";
import { withAnswers } from "./state.ts";

/** A request that an answer is for. */
export interface AnsweredRequest {
  readonly line: number;
  readonly customId: string;
}

/** The output file and the error file of a batch, while it writes them. */
export interface AnswerFiles {
  /** Puts an engine's reply down: in the output file when it is an answer, else in the error file. */
  answer(request: AnsweredRequest & { requestId: string }, reply: EngineReply, milliseconds: number): void;
  /** Puts down in the error file why a request never ran. */
  skip(request: AnsweredRequest, error: { code: string; message: string }): void;
  /** Bytes that are not on disk yet. */
  readonly queuedBytes: number;
  drained(): Promise<void>;
  /** Closes both files and completes their records. A file without a line is none. */
  finish(): Promise<void>;
  /** Closes both files as they are, to go on after a restart. */
  abandon(): Promise<void>;
}

interface About {
  readonly line: number;
  readonly skipped: boolean;
  readonly milliseconds: number | null;
}

const fileIdField = { output: "outputFileId", error: "errorFileId" } as const;

/**
 * Opens the files of a batch, behind the last whole line that the index knows of. Their records come with their first
 * line. `onWritten` is called whenever lines are on disk and counted.
 */
export async function openAnswerFiles(
  parts: Pick<BatchParts, "store" | "clock" | "ids" | "logger">,
  batchId: string,
  index: LineIndex,
  onWritten: () => void,
): Promise<AnswerFiles> {
  const { store, ids, clock, logger } = parts;
  const batch = () => {
    const record = store.batches.get(batchId);
    if (record === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return record;
  };
  let { completed, failed } = countAnswers(index);
  store.batches.hold(withAnswers(batch(), completed, failed));

  function holdSize(fileId: string, bytes: number): void {
    const record = store.files.get(fileId);
    if (record !== undefined) store.files.hold({ ...record, bytes });
  }

  async function openOne(file: AnswerFile) {
    const field = fileIdField[file];
    const id = batch()[field] ?? ids.create("file");
    const path = store.pathOf(id);
    const startAt = endOfAnswers(index, file);
    holdSize(id, startAt);

    const appender = await openLineAppender<About>({
      path,
      startAt,
      clock,
      logger,
      onWritten(lines) {
        for (const { about, start, length } of lines) {
          const { line, skipped, milliseconds } = about;
          index.record(line, { file, start, length, skipped, milliseconds });
          if (file === "output") completed += 1;
          else if (!skipped) failed += 1;
        }
        const last = lines.at(-1);
        if (last !== undefined) holdSize(id, last.start + last.length + 1);
        store.batches.hold(withAnswers(batch(), completed, failed));
        onWritten();
      },
    });

    return {
      append(line: ResultLine, about: About): void {
        if (batch()[field] === null) {
          const filename = `${batchId}_${file}.jsonl`;
          const about = { filename, purpose: "batch_output", createdAt: clock.now(), expiresAt: null } as const;
          store.files.put({ id, ...about, bytes: 0, sha256: null });
          store.batches.put({ ...batch(), [field]: id });
        }
        appender.append(JSON.stringify(line), about);
      },
      get queuedBytes() {
        return appender.queuedBytes;
      },
      drained: () => appender.drained(),
      abandon: () => appender.abandon(),
      async finish() {
        const content = await appender.close();
        const record = store.files.get(id);
        if (content.bytes > 0 && record !== undefined) {
          store.files.put({ ...record, ...content });
          return;
        }
        if (batch()[field] !== null) store.batches.put({ ...batch(), [field]: null });
        store.files.remove(id);
        await rm(path, { force: true });
      },
    };
  }

  const output = await openOne("output");
  const error = await openOne("error").catch(async (reason: unknown) => {
    await output.abandon();
    throw reason;
  });
  const both = [output, error];

  return {
    answer({ line, customId, requestId }, reply, milliseconds) {
      const { statusCode, body } = reply;
      const result: ResultLine = {
        id: ids.create("batch_req"),
        custom_id: customId,
        response: { status_code: statusCode, request_id: requestId, body },
        error: null,
      };
      (statusCode === 200 ? output : error).append(result, { line, skipped: false, milliseconds });
    },
    skip({ line, customId }, reason) {
      const result: ResultLine = { id: ids.create("batch_req"), custom_id: customId, response: null, error: reason };
      error.append(result, { line, skipped: true, milliseconds: null });
    },
    get queuedBytes() {
      return output.queuedBytes + error.queuedBytes;
    },
    async drained() {
      await Promise.all(both.map((file) => file.drained()));
    },
    async finish() {
      await Promise.all(both.map((file) => file.finish()));
    },
    async abandon() {
      await Promise.all(both.map((file) => file.abandon()));
    },
  };
}

function countAnswers(index: LineIndex): { completed: number; failed: number } {
  let completed = 0;
  let failed = 0;
  for (let line = 1; line <= index.total; line++) {
    const answer = index.answer(line);
    if (answer?.file === "output") completed += 1;
    else if (answer !== null && !answer.skipped) failed += 1;
  }
  return { completed, failed };
}

function endOfAnswers(index: LineIndex, file: AnswerFile): number {
  let end = 0;
  for (let line = 1; line <= index.total; line++) {
    const answer = index.answer(line);
    if (answer?.file === file) end = Math.max(end, answer.start + answer.length + 1);
  }
  return end;
}
