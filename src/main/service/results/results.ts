import { ServiceError } from "../errors.ts";
import type { Store } from "../store/index.ts";
import type { BatchRecord, Results } from "../types.ts";
import type { IndexCache } from "./index-cache.ts";
import { joinLine, type LineText, toRow } from "./join-line.ts";
import type { AnswerFile, LineIndex } from "./line-index.ts";
import { type ByteRange, readRanges } from "./read-ranges.ts";

/** Lines that an export reads at a time. */
const exportStep = 500;
const lineEnd = 1;

/** Reads the lines of batches joined with their answers, while they run and after. */
export function createResults(store: Store, indexes: IndexCache): Results {
  function batchOf(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${id}.`, "batch_id");
    return batch;
  }

  /** The index of a batch; null when its file has not passed a check, so that there are no lines to speak of. */
  async function indexOf(batch: BatchRecord): Promise<LineIndex | null> {
    return batch.counts.total === 0 ? null : indexes.get(batch);
  }

  /** The answers to lines `from` … `to` as they are in the files, each with its line end; null where there is none. */
  async function readAnswers(batchId: string, index: LineIndex, from: number, to: number): Promise<(Buffer | null)[]> {
    const answers = new Array<Buffer | null>(to - from + 1).fill(null);
    const { outputFileId, errorFileId } = batchOf(batchId);
    const read = async (file: AnswerFile, fileId: string | null) => {
      if (fileId === null) return;
      const places: number[] = [];
      const ranges: ByteRange[] = [];
      for (let line = from; line <= to; line++) {
        const answer = index.answer(line);
        if (answer?.file !== file) continue;
        places.push(line - from);
        ranges.push({ start: answer.start, end: answer.start + answer.length + lineEnd });
      }
      const contents = await readRanges(store.pathOf(fileId), ranges);
      places.forEach((place, at) => {
        answers[place] = contents[at] ?? null;
      });
    };
    await Promise.all([read("output", outputFileId), read("error", errorFileId)]);
    return answers;
  }

  async function readLines(batch: BatchRecord, index: LineIndex, from: number, to: number): Promise<LineText[]> {
    const ranges = Array.from({ length: to - from + 1 }, (_, at) => index.request(from + at));
    const [requests, answers] = await Promise.all([
      readRanges(store.pathOf(batch.inputFileId), ranges),
      readAnswers(batch.id, index, from, to),
    ]);
    return requests.map((request, at) => ({
      line: from + at,
      request: withoutLineEnd(request),
      response: answers[at] == null ? null : withoutLineEnd(answers[at]),
      answer: index.answer(from + at),
    }));
  }

  async function* exportLines(batch: BatchRecord): AsyncGenerator<Uint8Array> {
    const index = await indexOf(batch);
    if (index === null) return;
    for (let from = 1; from <= index.total; from += exportStep) {
      const to = Math.min(from + exportStep - 1, index.total);
      for (const answer of await readAnswers(batch.id, index, from, to)) {
        if (answer !== null) yield answer;
      }
    }
  }

  return {
    async page(batchId, offset, limit) {
      const batch = batchOf(batchId);
      const index = await indexOf(batch);
      if (index === null || offset >= index.total) return { total: index?.total ?? 0, rows: [] };
      const lines = await readLines(batch, index, offset + 1, Math.min(offset + limit, index.total));
      return { total: index.total, rows: lines.map((line) => toRow(joinLine(line))) };
    },
    async line(batchId, line) {
      const batch = batchOf(batchId);
      const index = await indexOf(batch);
      if (index === null || line < 1 || line > index.total) {
        throw new ServiceError("not_found", `Batch ${batchId} has no line ${line}.`, "line");
      }
      const lines = await readLines(batch, index, line, line);
      return joinLine(lines[0] ?? { line, request: "", response: null, answer: null });
    },
    exportLines: (batchId) => exportLines(batchOf(batchId)),
  };
}

function withoutLineEnd(bytes: Buffer): string {
  return bytes.toString().replace(/\s+$/, "");
}
