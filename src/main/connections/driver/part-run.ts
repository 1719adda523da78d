import type { Learned } from "#contract";
import type { RemoteJob, RemotePart } from "#service";
import type { BatchAdapter, PartLine } from "../adapters/batch-adapter.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import type { BatchPoller } from "./batch-poller.ts";

/** What is known of a service, and what its batches taught of it. */
export interface ServiceTraits {
  /** Whether it says how many lines are done while a batch runs. */
  readonly hasCounts: boolean;
  /** How long it keeps results; null where that is not known. */
  readonly resultsKeptDays: number | null;
  /** The longest that a batch takes there, as the service writes it. */
  readonly window: string;
  readonly learned: Learned;
}

/** What the steps of a part on its way through a service share: the run of a batch makes it. */
export interface PartRun {
  readonly job: RemoteJob;
  readonly adapter: BatchAdapter;
  readonly poller: BatchPoller;
  readonly traits: ServiceTraits;
  /** Where the files of parts lie while they are uploaded. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The first wait after a failure, in milliseconds. */
  readonly firstDelay: number;
  readonly isStopped: () => boolean;
  /** Keeps what a batch taught of the service. */
  learn(seen: Partial<Learned>): void;
  /** The part with something changed, which is on disk when this returns. */
  change(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** The same for what a restart need not know. */
  show(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** Does something that asks the service, again and again until it answers; `hint` is added to why it waits. */
  insist<T>(work: () => Promise<T>, hint?: string): Promise<T>;
  /** Says why nothing moves, and waits; `delay` is in milliseconds. */
  waitAfter(error: unknown, delay: number, hint?: string): Promise<void>;
  /** Waits, but for a run that is stopped; rejects when it is aborted. */
  rest(milliseconds: number): Promise<void>;
  lines(part: Pick<RemotePart, "from" | "to">): AsyncIterable<PartLine>;
  /** Whether a part of this batch is known to be that batch of the service. */
  isTaken(batch: RemoteBatch): boolean;
}

export const longestDelay = 5 * 60_000;
