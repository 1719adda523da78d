import { join } from "node:path";
import type { BatchRecord } from "../types.ts";
import { type BatchVerdicts, createBatchVerdicts, readBatchVerdicts } from "./batch-verdicts.ts";
import type { VerdictsHeader } from "./verdict-line.ts";

/** Batches whose verdicts stay in memory. */
const keptBatches = 16;

/** The verdicts of batches: a file each, read when it is first asked for. */
export interface Verdicts {
  /** Null when the batch has never been verified. */
  get(batch: BatchRecord): Promise<BatchVerdicts | null>;
  /** Starts anew: what was found before is gone. */
  begin(batch: BatchRecord, header: VerdictsHeader): Promise<BatchVerdicts>;
  /** Keeps those of a batch in memory until the answer is called: while it is being verified there must be one of them. */
  pin(batchId: string): () => void;
}

export function createVerdicts(folder: string): Verdicts {
  /** The longest unused first. */
  const known = new Map<string, Promise<BatchVerdicts | null>>();
  const pinned = new Set<string>();
  const pathOf = ({ id }: BatchRecord) => join(folder, `${id}.jsonl`);

  function keep<T extends BatchVerdicts | null>(id: string, verdicts: Promise<T>): Promise<T> {
    known.delete(id);
    known.set(id, verdicts);
    verdicts.catch(() => known.delete(id));
    const oldest = known.keys().find((other) => !pinned.has(other));
    if (known.size > keptBatches && oldest !== undefined) known.delete(oldest);
    return verdicts;
  }

  return {
    get: (batch) => keep(batch.id, known.get(batch.id) ?? readBatchVerdicts(pathOf(batch), batch.counts.total)),
    begin: (batch, header) => keep(batch.id, createBatchVerdicts(pathOf(batch), header, batch.counts.total)),
    pin(batchId) {
      pinned.add(batchId);
      return () => pinned.delete(batchId);
    },
  };
}
