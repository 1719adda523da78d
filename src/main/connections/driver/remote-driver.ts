import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Learned } from "#contract";
import { countPromptTokens, type RemoteDriver, type RemoteJob, type RemotePart, type RemoteRun } from "#service";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import { createBatchPoller } from "./batch-poller.ts";
import { followPart } from "./follow-part.ts";
import { listProblems, parsePartLine } from "./part-line.ts";
import { longestDelay, type PartRun, type ServiceTraits } from "./part-run.ts";
import { type PartLimits, planParts } from "./plan.ts";
import { createQueueRoom, type QueueRoom } from "./queue-room.ts";
import { submitPart } from "./submit-part.ts";

export interface RemoteDriverOptions {
  readonly adapter: BatchAdapter;
  readonly limits: PartLimits;
  readonly traits: ServiceTraits;
  /** Where the files of parts lie while they are uploaded. */
  readonly folder: string;
  /** Between two looks at a running batch that nobody looks on, in milliseconds. */
  readonly pollInterval: number;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to five minutes. */
  readonly firstDelay: number;
  /** Keeps what a batch taught of the service. */
  readonly learn?: (seen: Partial<Learned>) => void;
  /** Milliseconds without any change after which that is said. */
  readonly stallAfter?: number;
}

const usualStall = 40 * 60_000;

/** A driver, and the end of it. */
export type ClosableDriver = RemoteDriver & { close(): void };

/**
 * Takes batches to a service: plans, uploads, creates, polls, fetches. Whatever happens, no batch is created twice, and a
 * failure of the connection is no failure of a line: the run waits, says why, and tries again.
 */
export function createRemoteDriver(options: RemoteDriverOptions): ClosableDriver {
  const { adapter, limits, pollInterval, firstDelay } = options;
  const poller = createBatchPoller({ adapter, pollInterval, firstDelay, longestDelay });
  const room = createQueueRoom(limits.tokens);
  let { learned } = options.traits;
  const traits: ServiceTraits = {
    ...options.traits,
    get learned() {
      return learned;
    },
  };
  function learn(seen: Partial<Learned>): void {
    const next = { ...learned, ...seen };
    if (isDeepStrictEqual(next, learned)) return;
    learned = next;
    options.learn?.(seen);
  }
  return {
    check: (text, line) => listProblems(adapter.encode(parsePartLine(text, line)), line),
    run: (job) => startRun(job, options, { poller, room, traits, learn }),
    close: () => poller.close(),
  };
}

function startRun(
  job: RemoteJob,
  { adapter, limits, folder, firstDelay, stallAfter = usualStall }: RemoteDriverOptions,
  { poller, room, traits, learn }: Pick<PartRun, "poller" | "traits" | "learn"> & { readonly room: QueueRoom },
): RemoteRun {
  const aborting = new AbortController();
  const { signal } = aborting;
  const stopping = new AbortController();
  let parts = job.parts ?? [];
  let isStalled = hasStalled();

  const run: PartRun = {
    job,
    adapter,
    poller,
    traits,
    folder,
    signal,
    firstDelay,
    isStopped: () => stopping.signal.aborted,
    learn,
    change(part, next) {
      const changed = replace(part, next);
      job.keepParts(parts);
      return changed;
    },
    show(part, next) {
      const changed = replace(part, next);
      job.showParts(parts);
      return changed;
    },
    async insist(work, hint) {
      for (let delay = firstDelay; ; delay = Math.min(delay * 2, longestDelay)) {
        try {
          const result = await work();
          job.wait(null);
          return result;
        } catch (error) {
          await run.waitAfter(error, delay, hint);
        }
      }
    },
    async waitAfter(error, delay, hint = "") {
      if (!(error instanceof ConnectionError)) throw error;
      job.wait([error.message, error.nextStep, hint].filter(Boolean).join(" "));
      await run.rest(Math.max(delay, delay === 0 ? 0 : (error.retryAfter ?? 0)));
    },
    async rest(milliseconds) {
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, stopping.signal]) }).catch(() => {});
      signal.throwIfAborted();
    },
    async *lines({ from, to }) {
      let line = from;
      for await (const text of job.readLines(from, to)) yield parsePartLine(text, line++);
    },
    isTaken: ({ id }) => parts.some(({ batchId }) => batchId === id),
  };

  function replace(part: RemotePart, next: Partial<RemotePart>): RemotePart {
    const changed = { ...part, ...next };
    parts = parts.map((other) => (other.from === part.from ? changed : other));
    return changed;
  }

  /** Cuts lines into parts that the service takes. */
  async function plan(range: Pick<RemotePart, "from" | "to">): Promise<RemotePart[]> {
    const length = range.to - range.from + 1;
    const bytes = new Float64Array(length);
    const tokens = limits.tokens === null ? null : new Float64Array(length);
    for await (const line of run.lines(range)) {
      if (job.isAnswered(line.line)) continue;
      const encoded = adapter.encode(line);
      const at = line.line - range.from;
      bytes[at] = "text" in encoded ? Buffer.byteLength(encoded.text) + 1 : 0;
      if (tokens !== null) tokens[at] = countPromptTokens(line.request.messages);
    }
    return planParts({ bytes, tokens }, limits).map(({ from, to }) => ({
      ...notSent,
      from: range.from + from - 1,
      to: range.from + to - 1,
      token: randomUUID(),
      bytes: sum(bytes.subarray(from - 1, to)),
      tokens: tokens === null ? 0 : sum(tokens.subarray(from - 1, to)),
    }));
  }

  /** Limits may have been lowered since, because the service refused a part for its size. */
  async function replan(): Promise<void> {
    const planned = await Promise.all(parts.map((part) => (isOver(part) ? plan(part) : [part])));
    if (planned.every(({ length }) => length === 1)) return;
    parts = planned.flat();
    job.keepParts(parts);
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

  /** Takes what is submitted to its end, while other parts are on their way. */
  async function follow(part: RemotePart): Promise<void> {
    let current = part;
    while ((await followPart(current, run, sayStall)) === "postponed") {
      // The service knows the refused batch by the old token and file.
      current = run.change(current, { ...notSent, token: randomUUID() });
      current = await submitPart(current, run);
      if (current.batchId === null) break;
    }
    room.free(current.tokens);
  }

  /** Nothing that runs has moved for long: that is said, with what is usual there. */
  function sayStall(): void {
    if (hasStalled() === isStalled) return;
    isStalled = !isStalled;
    job.notice(isStalled ? describeStall(stallAfter, traits.window, traits.learned) : null);
  }

  function hasStalled(): boolean {
    const running = parts.filter(({ batchId, isFetched }) => batchId !== null && !isFetched);
    const lastMoved = Math.max(...running.map(({ movedAt }) => movedAt ?? Date.now()));
    return running.length > 0 && Date.now() - lastMoved >= stallAfter;
  }

  async function runAll(): Promise<void> {
    // It may have been said before a restart: then it is taken back when something moves.
    if (isStalled) job.notice(describeStall(stallAfter, traits.window, traits.learned));
    if (job.parts === null) {
      parts = await plan({ from: 1, to: job.total });
      job.keepParts(parts);
    } else await replan();
    const following: Promise<void>[] = [];
    const begin = (part: RemotePart) => {
      const followed = follow(part);
      // It is awaited below, once the other parts are sent: until then a failure waits.
      followed.catch(() => {});
      following.push(followed);
    };
    const open = parts.filter(({ isFetched }) => !isFetched);
    for (const part of open.filter(({ batchId }) => batchId !== null)) {
      room.takeAnyway(part.tokens);
      begin(part);
    }
    for (const part of open.filter(({ batchId }) => batchId === null)) {
      // A part whose create was never sent costs nothing yet; an unsure one is looked for also when stopped.
      if (run.isStopped() && part.sentAt === null) continue;
      if (part.sentAt === null) await takeRoom(part.tokens);
      else room.takeAnyway(part.tokens);
      const submitted = await submitPart(part, run);
      if (submitted.batchId === null) room.free(part.tokens);
      else begin(submitted);
    }
    await Promise.all(following);
  }

  /** Waits until earlier parts have left room in the service's queue, or the run is stopped. */
  async function takeRoom(tokens: number): Promise<void> {
    await room.take(tokens, AbortSignal.any([signal, stopping.signal])).catch(() => {
      signal.throwIfAborted();
      room.takeAnyway(tokens);
    });
  }

  const ended = runAll().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

  return {
    ended,
    stop() {
      stopping.abort();
      poller.watch();
    },
    abort: () => aborting.abort(),
    watch: () => poller.watch(),
  };
}

function describeStall(milliseconds: number, window: string, { longestMinutes }: Learned): string {
  const stalled = `Nothing has moved for ${Math.round(milliseconds / 60_000)} minutes.`;
  const usual = `A batch may take up to ${window} there`;
  if (longestMinutes === null) return `${stalled} ${usual}.`;
  const longest = longestMinutes < 120 ? `${longestMinutes} minutes` : `${Math.round(longestMinutes / 60)} hours`;
  return `${stalled} ${usual}; the longest so far took ${longest}.`;
}

const sum = (numbers: Float64Array): number => numbers.reduce((total, own) => total + own, 0);

/** A part of which nothing is at the service. */
const notSent = {
  fileId: null,
  sentAt: null,
  batchId: null,
  rawStatus: null,
  counts: null,
  isFetched: false,
  uploaded: 0,
  movedAt: null,
  lookedAt: null,
};
