import { ServiceError } from "../errors.ts";
import type { Store } from "../store/index.ts";
import type { BatchRecord, Results } from "../types.ts";
import { pathsOf } from "./batch-paths.ts";
import type { IndexCache } from "./index-cache.ts";
import { joinLine, type LineText, toRow } from "./join-line.ts";
import type { LineIndex } from "./line-index.ts";
import { readAnswers } from "./read-answers.ts";
import { readRanges } from "./read-ranges.ts";

/** Lines that an export reads at a time. */
const exportStep = 500;

/** Reads the lines of batches joined with their answers, while they run and after. */
export function createResults(store: Store, indexes: IndexCache): Results {
  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${id}.`, "batch_id");
    return batch;
  }

  /** The index of a batch; null when its file has not passed a check, so that there are no lines to speak of. */
  async function indexOf(batch: BatchRecord): Promise<LineIndex | null> {
    return batch.counts.total === 0 ? null : indexes.get(batch);
  }

  async function readLines(batchId: string, index: LineIndex, lines: readonly number[]): Promise<LineText[]> {
    const answers = lines.map((line) => index.answer(line));
    const paths = pathsOf(find(batchId), store);
    const [requests, responses] = await Promise.all([
      readRanges(paths.input, lines.map(index.request)),
      readAnswers(paths, answers),
    ]);
    return lines.map((line, at) => ({
      line,
      request: textOf(requests[at]) ?? "",
      response: textOf(responses[at]),
      milliseconds: answers[at]?.milliseconds ?? null,
    }));
  }

  async function* exportLines(batchId: string): AsyncGenerator<Uint8Array> {
    const index = await indexOf(find(batchId));
    if (index === null) return;
    for (let from = 1; from <= index.total; from += exportStep) {
      const answers = lineNumbers(from, Math.min(exportStep, index.total - from + 1)).map(index.answer);
      for (const line of await readAnswers(pathsOf(find(batchId), store), answers)) {
        if (line !== null) yield line;
      }
    }
  }

  return {
    async page(batchId, offset, limit) {
      const index = await indexOf(find(batchId));
      if (index === null) return { total: 0, rows: [] };
      const wanted = lineNumbers(offset + 1, Math.max(0, Math.min(limit, index.total - offset)));
      const lines = await readLines(batchId, index, wanted);
      return { total: index.total, rows: lines.map((line) => toRow(joinLine(line))) };
    },
    async line(batchId, line) {
      const index = await indexOf(find(batchId));
      const isThere = index !== null && Number.isInteger(line) && line >= 1 && line <= index.total;
      const [text] = isThere ? await readLines(batchId, index, [line]) : [];
      if (text === undefined) throw new ServiceError("not_found", `Batch ${batchId} has no line ${line}.`, "line");
      return joinLine(text);
    },
    exportLines(batchId) {
      find(batchId);
      return exportLines(batchId);
    },
  };
}

function lineNumbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

function textOf(bytes: Buffer | null | undefined): string | null {
  return bytes?.toString().replace(/[\r\n]+$/, "") ?? null;
}
