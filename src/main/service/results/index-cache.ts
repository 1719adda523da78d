import { existsSync } from "node:fs";
import { z } from "zod";
import { finalStatuses } from "#contract";
import { ServiceError } from "../errors.ts";
import { scanLines } from "../io/index.ts";
import type { BatchRecord, Store } from "../store/index.ts";
import { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
import { readTimings } from "./timings.ts";

/** The files of a batch on disk; null where it has none. */
export interface BatchPaths {
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
  /** How long its lines took; need not be there. */
  readonly timings: string;
}

/** Fails with a ServiceError when one of them is no longer there. */
export function pathsOf(batch: BatchRecord, store: Store): BatchPaths {
  function path(fileId: string, what: string): string {
    const found = store.pathOf(fileId);
    const isListed = store.files.get(fileId) !== undefined;
    if (isListed && existsSync(found)) return found;
    const message = `The ${what} file of batch ${batch.id} ${isListed ? "is no longer on disk" : "has been deleted"}.`;
    throw new ServiceError("not_found", message, "batch_id");
  }
  return {
    input: path(batch.inputFileId, "input"),
    output: batch.outputFileId === null ? null : path(batch.outputFileId, "output"),
    error: batch.errorFileId === null ? null : path(batch.errorFileId, "error"),
    timings: store.timingsOf(batch.id),
  };
}

/** Indexes of ended batches that stay in memory. */
const mostIndexes = 16;

/** The line indexes of batches: those of running ones, and of ended ones that were looked at of late. */
export interface IndexCache {
  /** The index of a batch that has passed its check; read from its files when it is not in memory. */
  get(batch: BatchRecord): Promise<LineIndex>;
  set(batchId: string, index: LineIndex): void;
  forget(batchId: string): void;
}

export function createIndexCache(store: Store): IndexCache {
  /** The longest unused first. */
  const indexes = new Map<string, Promise<LineIndex>>();

  function insert(batchId: string, index: Promise<LineIndex>): void {
    indexes.delete(batchId);
    indexes.set(batchId, index);
    let left = indexes.size - mostIndexes;
    for (const id of indexes.keys()) {
      if (left <= 0) break;
      if (isRunning(id)) continue;
      indexes.delete(id);
      left -= 1;
    }
  }

  function isRunning(batchId: string): boolean {
    const batch = store.batches.get(batchId);
    return batch !== undefined && !finalStatuses.has(batch.status);
  }

  return {
    get(batch) {
      const known = indexes.get(batch.id);
      const index = known ?? readIndex(pathsOf(batch, store));
      insert(batch.id, index);
      if (known === undefined) index.catch(() => indexes.delete(batch.id));
      return index;
    },
    set: (batchId, index) => insert(batchId, Promise.resolve(index)),
    forget: (batchId) => indexes.delete(batchId),
  };
}

const requestSchema = z.object({ custom_id: z.string() });
const answerSchema = z.object({ custom_id: z.string(), response: z.object({}).nullable() });

/**
 * Builds the index of a batch anew from its files, with one pass over each. A last line without its end was being
 * written when the process ended: it is no answer.
 */
async function readIndex(paths: BatchPaths): Promise<LineIndex> {
  const { lineStarts, lineOf } = await readRequests(paths.input);
  const index = createLineIndex(lineStarts);
  const known = { index, lineOf, timings: await readTimings(paths.timings, index.total) };
  if (paths.output !== null) await readAnswers(paths.output, "output", known);
  if (paths.error !== null) await readAnswers(paths.error, "error", known);
  return index;
}

async function readRequests(path: string) {
  const starts: number[] = [];
  const lineOf = new Map<string, number>();
  let end = 0;
  await scanLines(path, (line) => {
    const text = line.bytes?.toString() ?? "";
    if (text.trim() === "") return;
    starts.push(line.start);
    end = line.end;
    lineOf.set(requestSchema.parse(JSON.parse(text)).custom_id, starts.length);
  });
  return { lineStarts: Float64Array.from([...starts, end]), lineOf };
}

interface Known {
  readonly index: LineIndex;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly timings: Float32Array;
}

async function readAnswers(path: string, file: AnswerFile, { index, lineOf, timings }: Known) {
  await scanLines(path, ({ bytes, start, terminated }) => {
    if (bytes === null || !terminated) return;
    const { custom_id, response } = answerSchema.parse(JSON.parse(bytes.toString()));
    const line = lineOf.get(custom_id);
    if (line === undefined) return;
    const time = timings[line - 1] ?? Number.NaN;
    const skipped = response === null;
    const milliseconds = skipped || Number.isNaN(time) ? null : time;
    index.record(line, { file, start, length: bytes.length, skipped, milliseconds });
  });
}
