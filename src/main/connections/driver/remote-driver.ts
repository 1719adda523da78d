import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ObservedCapabilities } from "#contract";
import {
  type Machine,
  type RemoteDriver,
  type RemoteJob,
  type RemotePart,
  type RemoteRun,
  ServiceError,
} from "#main/base";
import { listProblems, parsePartLine } from "#main/requests";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";
import { ConnectionError, isMissing } from "../adapters/connection-error.ts";
import { collectLate } from "./await-results.ts";
import { createBatchPoller } from "./batch-poller.ts";
import { type CreateGate, createGate } from "./create-gate.ts";
import { followPart } from "./follow-part.ts";
import { createPartRun, type DriverDeps, longestDelay, type ServiceTraits } from "./part-run.ts";
import { createPartPlanner, createQueueRoom, type PartLimits, type QueueRoom } from "./plan.ts";
import { createPartReader } from "./read-part.ts";
import { ownerOf, submitPart } from "./submit-part.ts";

export interface RemoteDriverOptions {
  readonly adapter: BatchAdapter;
  readonly machine: Machine;
  readonly limits: PartLimits;
  readonly traits: ServiceTraits;
  /** Shared by the drivers of one address; its own by default. */
  readonly gate?: CreateGate;
  /** The folder of the parts' files while they are uploaded. */
  readonly folder: string;
  /** Between two polls of a running batch that isn't watched, in milliseconds. */
  readonly pollInterval: number;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to five minutes. */
  readonly firstDelay: number;
  /** How long to look for the batch of a create without an answer, in milliseconds; default: 15 minutes. */
  readonly lookingTime?: number | undefined;
  /** Stores capabilities of the service that a batch showed. */
  readonly learn?: (seen: Partial<ObservedCapabilities>) => void;
  /** Milliseconds without any change after which a notice reports it. */
  readonly stallAfter?: number;
}

const usualStall = 40 * 60_000;
/** Lists of batches lag by tens of seconds, and a request that was cut may still arrive. */
const usualLookingTime = 15 * 60_000;

/** A driver that can be closed. */
export type ClosableDriver = RemoteDriver & { close(): void };

/**
 * Runs batches at a service: plans, uploads, creates, polls, fetches. No batch is ever created twice, and a failure of the
 * connection is no failure of a line: the run waits, reports why, and tries again.
 */
export function createRemoteDriver(options: RemoteDriverOptions): ClosableDriver {
  const { adapter, machine, limits, folder, pollInterval, firstDelay } = options;
  const { lookingTime = usualLookingTime, gate = createGate() } = options;
  const poller = createBatchPoller({ adapter, machine, pollInterval, firstDelay, longestDelay });
  const room = createQueueRoom(limits.tokens);
  let { learned } = options.traits;
  const traits: ServiceTraits = {
    ...options.traits,
    get learned() {
      return learned;
    },
  };
  function learn(seen: Partial<ObservedCapabilities>): void {
    const next = { ...learned, ...seen };
    if (isDeepStrictEqual(next, learned)) return;
    learned = next;
    options.learn?.(seen);
  }
  const parts: DriverDeps = { adapter, poller, machine, traits, gate, folder, firstDelay, lookingTime, learn };
  return {
    check: (text, line) => listProblems(adapter.encode(parsePartLine(text, line)), line),
    run: (job) => startRemoteRun(job, options, parts, room),
    readLate: (job, signal) => readLate(job, parts, signal),
    close: () => poller.close(),
  };
}

/** Reads what parts of a batch still await that has ended; rejects at its end where one of them can't be read. */
async function readLate(job: RemoteJob, driver: DriverDeps, signal: AbortSignal): Promise<void> {
  const never = new AbortController().signal;
  const run = createPartRun(job, driver, { signal, cut: never, cancelled: never });
  let failure: ServiceError | null = null;
  for (const part of run.parts) {
    if (!part.isFetched || part.awaited === null) continue;
    try {
      await collectLate(part, await createPartReader(part, run), run);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      failure ??= new ServiceError("nothing_to_settle", `${error.message} ${error.nextStep}`);
    }
  }
  if (failure !== null) throw failure;
}

function startRemoteRun(
  job: RemoteJob,
  { limits, stallAfter = usualStall }: RemoteDriverOptions,
  driver: DriverDeps,
  room: QueueRoom,
): RemoteRun {
  const { adapter, poller, machine, traits } = driver;
  const ending = new AbortController();
  const cutting = new AbortController();
  const cancelling = new AbortController();
  const run = createPartRun(job, driver, {
    signal: ending.signal,
    cut: cutting.signal,
    cancelled: cancelling.signal,
  });
  const { signal, sending } = run;
  /** The parts that are at the service, each until its results are stored. */
  const following: Promise<void>[] = [];
  let isStalled = hasStalled();
  // Until it is looked for, nothing else is created.
  const unsure = run.parts.filter(({ sentAt, batchId }) => sentAt !== null && batchId === null);
  for (const part of unsure) driver.gate.hold(ownerOf(part, run));

  /** Cuts lines into parts within the service's limits. */
  async function plan(range: Pick<RemotePart, "from" | "to">): Promise<RemotePart[]> {
    const planner = createPartPlanner(adapter, limits);
    const lines = run.lines(range, (line) => job.failDamaged(line, false));
    for await (const line of lines) if (!job.isAnswered(line.line)) planner.add(line);
    return planner.parts(range).map((part) => ({ ...notSent, ...part, token: randomUUID() }));
  }

  /** Cuts parts anew where limits were lowered since, because the service refused a part for its size. */
  async function replan(): Promise<void> {
    const planned = await Promise.all(run.parts.map((part) => (isOver(part) ? plan(part) : [part])));
    if (planned.every(({ length }) => length === 1)) return;
    run.parts = planned.flat();
    job.keepParts(run.parts);
  }

  function isOver({ batchId, sentAt, from, to, bytes, tokens }: RemotePart): boolean {
    if (batchId !== null || sentAt !== null) return false;
    const { lines: mostLines, bytes: mostBytes, tokens: mostTokens } = limits;
    return [
      [to - from + 1, mostLines],
      [bytes, mostBytes],
      [tokens, mostTokens],
    ].some(([own, most]) => typeof own === "number" && typeof most === "number" && own > most);
  }

  /** Follows a submitted part to its end, while other parts are sent. */
  async function follow(part: RemotePart): Promise<void> {
    let current = part;
    const events = { onPoll: noticeStall, onOver: () => room.free(current.tokens) };
    for (let postponed = 0; (await followPart(current, run, { ...events, postponed })) === "postponed"; postponed++) {
      // The old token and file identify the refused batch at the service.
      current = run.change(current, { ...notSent, token: randomUUID() });
      current = await submitPart(current, run);
      if (current.batchId === null) return room.free(current.tokens);
    }
  }

  /** Sets a notice with the usual duration when nothing has changed for long, and removes it when something changes. */
  function noticeStall(): void {
    if (hasStalled() === isStalled) return;
    isStalled = !isStalled;
    run.setNotice("stall", isStalled ? describeStall(stallAfter, traits.window, traits.learned) : null);
  }

  function hasStalled(): boolean {
    const isRunning = run.parts.some(({ batchId, isFetched }) => batchId !== null && !isFetched);
    return isRunning && machine.monotonic() - run.movedAt >= stallAfter;
  }

  async function runAll(): Promise<void> {
    // The notice may be from before a restart: it is removed when something changes.
    if (isStalled) run.setNotice("stall", describeStall(stallAfter, traits.window, traits.learned));
    if (job.parts === null) {
      run.parts = await plan({ from: 1, to: job.total });
      job.keepParts(run.parts);
    } else await replan();
    const begin = (part: RemotePart) => {
      const followed = follow(part);
      // It is awaited below, once the other parts are sent: a failure is reported then.
      followed.catch(() => {});
      following.push(followed);
    };
    const open = run.parts.filter(({ isFetched }) => !isFetched);
    for (const part of open.filter(({ batchId }) => batchId !== null)) {
      room.forceReserve(part.tokens);
      begin(part);
    }
    const send = async (part: RemotePart) => {
      const submitted = await submitPart(part, run);
      if (submitted.batchId === null) room.free(part.tokens);
      else begin(submitted);
    };
    const unsent = open.filter(({ batchId }) => batchId === null);
    // Unsure ones are looked for side by side, also when cancelled: the others wait until it is known what became of them.
    const looking = unsent
      .filter(({ sentAt }) => sentAt !== null)
      .map((part) => {
        room.forceReserve(part.tokens);
        return send(part);
      });
    for (const one of looking) one.catch(() => {});
    following.push(...looking);
    for (const part of unsent.filter(({ sentAt }) => sentAt === null)) {
      // A part whose create was never sent costs nothing yet.
      if (run.isCancelled()) continue;
      await takeRoom(part.tokens);
      await send(part);
    }
    await Promise.all(looking);
    await Promise.all(following);
  }

  /** Waits until the service's queue has room for the part, or the run is cancelled. */
  async function takeRoom(tokens: number): Promise<void> {
    await room.reserve(tokens, sending).catch(() => {
      signal.throwIfAborted();
      room.forceReserve(tokens);
    });
  }

  /** Checks that a batch at the service can be the one whose create got no answer. */
  async function requireCandidate(batchId: string): Promise<void> {
    const refuse = (message: string) => new ServiceError("invalid_value", message, "batch");
    const { batchIds } = await job.others();
    if (batchIds.has(batchId) || run.parts.some((part) => part.batchId === batchId)) {
      throw refuse("Another batch here has that one already.");
    }
    const part = run.parts.find(({ candidates }) => candidates !== null);
    if (part?.before?.ids.includes(batchId)) throw refuse("That batch was there before this one was sent.");
    const batch = await readBatch(batchId);
    const lines = part === undefined ? 0 : part.to - part.from + 1;
    const total = batch.counts?.total ?? 0;
    if (total > lines) throw refuse(`That batch has ${total} requests, and this one ${lines}.`);

    async function readBatch(id: string) {
      try {
        return await adapter.get(id, signal);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        throw refuse(isMissing(error) ? "The service has no such batch." : `${error.message} ${error.nextStep}`);
      }
    }
  }

  const ended = runAll().catch(async (error: unknown) => {
    const wasStopped = signal.aborted;
    // The next run of the batch must be alone with its parts: two would send one again that was refused for a full queue.
    ending.abort();
    await Promise.allSettled(following);
    if (!wasStopped) throw error;
  });
  const free = () => {
    for (const part of run.parts) driver.gate.release(ownerOf(part, run));
  };
  ended.then(free, free);
  return {
    ended,
    suspend: () => ending.abort(),
    abort() {
      ending.abort();
      cutting.abort();
    },
    cancel() {
      cancelling.abort();
      poller.watch();
    },
    watch: () => poller.watch(),
    stopWaiting() {
      if (!run.parts.some(({ awaited, isFetched }) => awaited !== null && !isFetched)) {
        throw new ServiceError("nothing_to_settle", "This batch waits for no results.");
      }
      run.stopWaiting();
      poller.watch();
    },
    async settleCreate(choice) {
      if (choice.kind === "use") await requireCandidate(choice.batchId);
      const settled = run.choose(choice);
      if (settled === null) throw new ServiceError("nothing_to_settle", "It is known where this batch is.");
      await Promise.race([settled, ended]);
    },
  };
}

function describeStall(milliseconds: number, window: string, { longestMinutes }: ObservedCapabilities): string {
  const stalled = `Nothing has moved for ${Math.round(milliseconds / 60_000)} minutes.`;
  const usual = `A batch may take up to ${window} there`;
  if (longestMinutes === null) return `${stalled} ${usual}.`;
  const longest = longestMinutes < 120 ? `${longestMinutes} minutes` : `${Math.round(longestMinutes / 60)} hours`;
  return `${stalled} ${usual}; the longest so far took ${longest}.`;
}

/** A part that was never sent. */
const notSent = {
  fileId: null,
  sentAt: null,
  batchId: null,
  before: null,
  candidates: null,
  rawStatus: null,
  counts: null,
  isFetched: false,
  uploaded: 0,
  movedAt: null,
  lookedAt: null,
  awaited: null,
};
