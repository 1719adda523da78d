import type { CreateChoice, Engine } from "#main/base";
import type { BatchRecord } from "#main/storage";
import type { DeletedBatch } from "./deleted-batches.ts";
import type { CreateBatch } from "./deps.ts";
import type { KnownCount } from "./known-answers.ts";
import type { Owner } from "./owner.ts";
import type { RetryBatch } from "./retry-batch.ts";
import type { RaisedLine } from "./retry-requests.ts";
import type { QueueHandle, WorkQueue } from "./scheduler.ts";
import type { BatchProgress } from "./throughput.ts";

export interface BatchPage {
  readonly limit: number;
  /** The id of the last batch of the page before. */
  readonly after?: string;
  /** Whether trials are listed, too; they are not unless asked for. */
  readonly trials?: boolean;
  /** Lists its own batches alone. */
  readonly owner?: Owner;
}

export interface Batches {
  /** Creates it in `validating`; it continues by itself. Fails with a ServiceError (unknown file, wrong window …). */
  create(input: CreateBatch): Promise<BatchRecord>;
  /** With an owner, of its own batches alone. */
  get(id: string, owner?: Owner): BatchRecord | undefined;
  /** Whether it is there, or is deleted and can be restored. */
  isKept(id: string): boolean;
  /** Whether it belongs to another data folder: it can be looked at, not changed. */
  isReadOnly(id: string): boolean;
  /** Newest first. Fails with a ServiceError when there is no batch `after`. */
  list(page: BatchPage): { batches: readonly BatchRecord[]; hasMore: boolean };
  /** Fails with a 409 ServiceError when it has ended or is finalizing. */
  cancel(id: string): Promise<BatchRecord>;
  /**
   * Makes a linked batch of lines that are to be asked again. Fails with a 409 ServiceError when there are none, or they
   * are being asked already.
   */
  retry(request: RetryBatch): Promise<BatchRecord>;
  /** The lines of such a retry that may have longer answers than before, for what they may cost. Nothing is sent. */
  planRetry(request: RetryBatch): Promise<readonly RaisedLine[]>;
  /**
   * Cancels a batch on a connection at that time, in Unix milliseconds, if it still runs; once it has ended there, what never
   * ran is asked directly. Null takes that back. Fails with a ServiceError when it has ended, or runs on this computer.
   */
  setDeadline(id: string, deadline: number | null): BatchRecord;
  /**
   * Settles a create at its service whose result is not known: sends it again, or takes one of the service's
   * batches for it. Rejects with a ServiceError where nothing is in doubt, or that can't be the batch.
   */
  settleCreate(id: string, choice: CreateChoice): Promise<BatchRecord>;
  /**
   * Continues an unclear batch, of which the damaged data folder may have lost answers: lines without an answer here are asked.
   * Rejects with a ServiceError for any other batch.
   */
  resume(id: string): Promise<BatchRecord>;
  /** Takes a batch as it is whose end waits for results. Throws a ServiceError where it waits for none. */
  stopWaiting(id: string): BatchRecord;
  /** Reads what an ended batch still awaits. Rejects with a ServiceError where that is nothing, or its service can't be read. */
  fetchAgain(id: string): Promise<BatchRecord>;
  rename(id: string, name: string): BatchRecord;
  /** How much of an input file a connection need not be asked; nothing where the connection is gone. */
  countKnown(connection: string, inputPath: string, signal?: AbortSignal): Promise<KnownCount>;
  /**
   * Deletes a batch and its retries, which can be restored for 30 days. Fails with a 409 ServiceError while one of them runs, or
   * awaited results of one are being read.
   */
  moveToDeleted(id: string): Promise<void>;
  /** The batches that can be restored, the last deleted first. */
  listDeleted(): readonly DeletedBatch[];
  /** Fails with a ServiceError where the batch is not deleted, or is deleted for good. */
  restore(id: string): Promise<BatchRecord>;
  /** Removes a deleted batch for good. Fails with a ServiceError where the batch is not deleted. */
  purge(id: string): Promise<void>;
  /**
   * Removes a batch and its retries for good, with all their files that no other batch needs. Fails with a 409 ServiceError
   * while one of them runs, and without `withRetries` where there are retries.
   */
  remove(id: string, options?: { readonly withRetries?: boolean }): Promise<void>;
  /** The same at once for a batch that runs: what is in flight is given up. Its retries stay. */
  discard(id: string): Promise<void>;
  progress(id: string): BatchProgress;
  /** Someone looks at the batch: where it runs elsewhere, the service is asked more often for a minute. */
  watch(id: string): void;
  /** Calls the listener with every change, merged to at most four a second for each batch. The answer stops it. */
  subscribe(listener: (batch: BatchRecord) => void): () => void;
  /** Resolves when the batch has reached a final status, and what its deadline left over has a batch of its own. */
  settled(id: string): Promise<BatchRecord>;
}

/** The batches, and the end of them. */
export interface RunningBatches {
  readonly batches: Batches;
  /** Called when the service's own engine is another one now. */
  readonly noteEngine: () => void;
  /** Adds other work for an engine, the service's own by default, next to that of the batches. */
  readonly addQueue: (queue: WorkQueue, engine?: Engine) => QueueHandle;
  /** Starts no more lines, awaits those in flight for `grace` milliseconds or until `cut`, and leaves all on disk. */
  close(grace: number, cut?: AbortSignal): Promise<void>;
}
