import { z } from "zod";
import { finalStatuses } from "#contract";
import { scanLines } from "../io/index.ts";
import type { Logger } from "../ports.ts";
import type { BatchRecord, Store } from "../store/index.ts";
import { type BatchPaths, pathsOf } from "./batch-paths.ts";
import { readIndexFile, writeIndexFile } from "./index-file.ts";
import { toFacts } from "./join-line.ts";
import { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
import { readTimings } from "./timings.ts";

/** Indexes of ended batches that stay in memory. */
const mostIndexes = 16;

/** The line indexes of batches: those of running ones, and of ended ones that were looked at of late. */
export interface IndexCache {
  /** The index of a batch that has passed its check; read from its files when it is not in memory. */
  get(batch: BatchRecord): Promise<LineIndex>;
  set(batchId: string, index: LineIndex): void;
  /** Writes the index of a batch that has ended to disk, so that it need not be read from its files again. */
  save(batch: BatchRecord): Promise<void>;
  forget(batchId: string): void;
}

export function createIndexCache(store: Store, logger: Logger): IndexCache {
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

  async function open(batch: BatchRecord): Promise<LineIndex> {
    const paths = pathsOf(batch, store);
    const stored = isRunning(batch.id) ? null : await readIndexFile(paths);
    if (stored !== null) return stored;
    const index = await scanIndex(paths);
    if (!isRunning(batch.id)) await write(batch, index);
    return index;
  }

  /** Without the file, the index is read from the files of its batch again. */
  async function write(batch: BatchRecord, index: LineIndex): Promise<void> {
    try {
      await writeIndexFile(pathsOf(batch, store), index);
    } catch (error) {
      logger.warn("The index of a batch can't be written", { batch: batch.id, error: String(error) });
    }
  }

  return {
    get(batch) {
      const known = indexes.get(batch.id);
      const index = known ?? open(batch);
      insert(batch.id, index);
      if (known === undefined) index.catch(() => indexes.delete(batch.id));
      return index;
    },
    set: (batchId, index) => insert(batchId, Promise.resolve(index)),
    async save(batch) {
      const index = await indexes.get(batch.id);
      if (index !== undefined) await write(batch, index);
    },
    forget: (batchId) => indexes.delete(batchId),
  };
}

/** The index of a batch that has ended, without a word kept of it: its folder may be another process's. */
export async function readIndex(paths: BatchPaths): Promise<LineIndex> {
  return (await readIndexFile(paths)) ?? (await scanIndex(paths));
}

const requestSchema = z.object({ custom_id: z.string() });
const answerSchema = z.object({ custom_id: z.string(), response: z.object({}).nullable() });

/**
 * Builds the index of a batch anew from its files, with one pass over each. A last line without its end was being
 * written when the process ended: it is no answer.
 */
async function scanIndex(paths: BatchPaths): Promise<LineIndex> {
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
    const value: unknown = JSON.parse(bytes.toString());
    const { custom_id, response } = answerSchema.parse(value);
    const line = lineOf.get(custom_id);
    if (line === undefined) return;
    const time = timings[line - 1] ?? Number.NaN;
    const skipped = response === null;
    const milliseconds = skipped || Number.isNaN(time) ? null : time;
    index.record(line, { file, start, length: bytes.length, skipped, milliseconds }, toFacts(value));
  });
}
