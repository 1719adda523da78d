import { backOff, type ObservedCapabilities } from "#contract";
import type { CreateChoice, Machine, RemoteJob, RemotePart } from "#main/base";
import { type PartLine, parsePartLine } from "#main/requests";
import type { BatchAdapter, UnreadableResult } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import type { BatchPoller } from "./batch-poller.ts";
import type { CreateGate } from "./create-gate.ts";

/** What is known of a service: from its preset, and observed in its batches. */
export interface ServiceTraits {
  /** Whether it reports how many lines are done while a batch runs. */
  readonly hasCounts: boolean;
  /** How long it keeps results; null where that is not known. */
  readonly resultsKeptDays: number | null;
  /** The longest that a batch takes there, as the service writes it. */
  readonly window: string;
  readonly learned: ObservedCapabilities;
}

/** What was wrong with the results of a service. */
export interface ResultAnomalies {
  /** By id, how often a line was there again. */
  readonly repeated: Map<string, number>;
  /** By id, how often a line was there with another answer than its first. */
  readonly different: Map<string, number>;
  /** By id, how often a line was there that was not asked. */
  readonly unknown: Map<string, number>;
  /** How many lines of the results can't be read. */
  readonly unreadable: Record<UnreadableResult["unreadable"], number>;
}

export function noAnomalies(): ResultAnomalies {
  return { repeated: new Map(), different: new Map(), unknown: new Map(), unreadable: { too_long: 0, no_result: 0 } };
}

/** What the driver of a connection shares with the runs of all its batches. */
export interface DriverDeps {
  readonly adapter: BatchAdapter;
  readonly poller: BatchPoller;
  readonly machine: Machine;
  readonly traits: ServiceTraits;
  /** Of the service's address. */
  readonly gate: CreateGate;
  /** The folder of the parts' files while they are uploaded. */
  readonly folder: string;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to five minutes. */
  readonly firstDelay: number;
  /** How long to look for the batch of a create without an answer, from the first list that could be read, in milliseconds. */
  readonly lookingTime: number;
  /** Stores capabilities of the service that a batch showed. */
  learn(seen: Partial<ObservedCapabilities>): void;
}

/** What the steps of a part on its way through a service share: one for each run of a batch. */
export interface PartRun extends DriverDeps {
  readonly job: RemoteJob;
  /** The batch's parts as they are now. */
  parts: readonly RemotePart[];
  /** What was wrong with the results so far, by the first line of each part. */
  readonly anomalies: Map<number, ResultAnomalies>;
  /** When the service last reported a change of a part, by the monotonic clock. */
  movedAt: number;
  /** Aborted to stop the run, which can be resumed. */
  readonly signal: AbortSignal;
  /** Aborted when the run has to end at once: a stopped one still awaits the answer to a create. */
  readonly cut: AbortSignal;
  /** Aborted when nothing more may be sent: by a stop or a cancel. */
  readonly sending: AbortSignal;
  readonly isCancelled: () => boolean;
  /** Changes the part, on disk when this returns. */
  change(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** Changes the part in memory alone. */
  show(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** Sets the reason why the batch waits, behind the decision that it may wait for; null when nothing else keeps it. */
  wait(reason: string | null): void;
  /** Sets the notice of a kind, next to those of other kinds; null removes it. */
  setNotice(kind: string, text: string | null): void;
  /** Repeats a call of the service until it is answered; `hint` is added to the reason for the wait. */
  retryUntilAnswered<T>(work: () => Promise<T>, hint?: string): Promise<T>;
  /** Waits as long as after `attempt` failures, with the error as the reason. Rethrows what is no ConnectionError. */
  waitAfter(error: unknown, attempt: number, hint?: string): Promise<void>;
  /** Waits. Resolves early on a cancel; rejects when the run is stopped. */
  sleep(milliseconds: number): Promise<void>;
  /** The same, which `stopWaiting` ends, too. */
  rest(milliseconds: number): Promise<void>;
  /** How often the user has stopped waits for results. */
  readonly stops: number;
  stopWaiting(): void;
  /** Waits for the user's decision on an unsure create; null when the time is over, or the run is cancelled. */
  awaitChoice(part: Pick<RemotePart, "from">, milliseconds: number): Promise<CreateChoice | null>;
  /**
   * Records the user's decision, also before it is awaited. Null when there is nothing to decide; otherwise resolves when it
   * has taken effect.
   */
  choose(choice: CreateChoice): Promise<void> | null;
  /** Its lines without those that are damaged on disk, which `onDamaged` is called with. */
  lines(part: Pick<RemotePart, "from" | "to">, onDamaged?: (line: number) => void): AsyncIterable<PartLine>;
}

const inDoubt =
  "The service may have this batch: its reply was lost, and no batch there matches for certain. Decide whether to create it again.";

/** The longest wait between two attempts, in milliseconds. */
export const longestDelay = 5 * 60_000;

/** How long nothing had changed when this run began, in milliseconds. */
function findStillness(parts: readonly RemotePart[], machine: Machine): number {
  const moves = parts.flatMap(({ movedAt }) => movedAt ?? []);
  return moves.length === 0 ? 0 : Math.max(0, machine.wall() - Math.max(...moves));
}

export function createPartRun(
  job: RemoteJob,
  driver: DriverDeps,
  { signal, cut, cancelled }: Pick<PartRun, "signal" | "cut"> & { readonly cancelled: AbortSignal },
): PartRun {
  const { machine, firstDelay } = driver;
  const sending = AbortSignal.any([signal, cancelled]);
  /** What the user decides about each unsure create, by the part's first line: two can be unsure at a time. */
  const choices = new Map<number, PromiseWithResolvers<CreateChoice | null>>();
  /** Resolved when a decision has taken effect, by the same line. */
  const settled = new Map<number, PromiseWithResolvers<void>>();
  const notices = new Map<string, string>();
  let stopping = new AbortController();
  let stops = 0;

  const run: PartRun = {
    ...driver,
    job,
    parts: job.parts ?? [],
    anomalies: new Map(),
    movedAt: machine.monotonic() - findStillness(job.parts ?? [], machine),
    signal,
    cut,
    sending,
    isCancelled: () => cancelled.aborted,
    change(part, next) {
      const changed = replace(part, next);
      if (next.movedAt !== undefined) run.movedAt = machine.monotonic();
      if (part.candidates !== null && changed.candidates === null) {
        settled.get(part.from)?.resolve();
        settled.delete(part.from);
        // A decision is for one create alone.
        choices.delete(part.from);
      }
      job.keepParts(run.parts);
      return changed;
    },
    show(part, next) {
      const changed = replace(part, next);
      job.showParts(run.parts);
      return changed;
    },
    wait(reason) {
      const isInDoubt = run.parts.some(({ candidates }) => candidates !== null);
      job.wait(isInDoubt ? [inDoubt, reason].filter(Boolean).join(" ") : reason);
    },
    setNotice(kind, text) {
      if (text === null) notices.delete(kind);
      else notices.set(kind, text);
      const sentences = [...notices.values()].join(" ");
      // Ids of lines that nobody asked for are the service's text: it may repeat the key in them.
      job.notice(sentences === "" ? null : (driver.adapter.hideKey?.(sentences) ?? sentences));
    },
    async retryUntilAnswered(work, hint) {
      for (let attempt = 0; ; attempt++) {
        try {
          const result = await work();
          run.wait(null);
          return result;
        } catch (error) {
          await run.waitAfter(error, attempt, hint);
        }
      }
    },
    async waitAfter(error, attempt, hint = "") {
      if (!(error instanceof ConnectionError)) throw error;
      run.wait([error.message, error.nextStep, hint].filter(Boolean).join(" "));
      const delay = backOff(attempt, { first: firstDelay, longest: longestDelay });
      await run.rest(Math.max(delay, delay === 0 ? 0 : (error.retryAfter ?? 0)));
    },
    async sleep(milliseconds) {
      // Only a cancel during the wait ends it: requests for a batch that was cancelled before wait, too.
      await machine.sleep(milliseconds, cancelled.aborted ? signal : sending).catch(() => {});
      signal.throwIfAborted();
    },
    async rest(milliseconds) {
      const base = cancelled.aborted ? signal : sending;
      await machine.sleep(milliseconds, AbortSignal.any([base, stopping.signal])).catch(() => {});
      signal.throwIfAborted();
    },
    get stops() {
      return stops;
    },
    stopWaiting() {
      stops += 1;
      stopping.abort();
      stopping = new AbortController();
    },
    async awaitChoice({ from }, milliseconds) {
      const { promise, resolve } = ofPart(choices, from);
      const giveUp = () => resolve(null);
      const cancelTimer = machine.after(milliseconds, giveUp);
      sending.addEventListener("abort", giveUp, { once: true });
      if (sending.aborted) giveUp();
      const choice = await promise;
      choices.delete(from);
      cancelTimer();
      sending.removeEventListener("abort", giveUp);
      signal.throwIfAborted();
      return choice;
    },
    choose(choice) {
      const unsure = run.parts.find(({ candidates }) => candidates !== null);
      if (signal.aborted || unsure === undefined) return null;
      ofPart(choices, unsure.from).resolve(choice);
      return ofPart(settled, unsure.from).promise;
    },
    async *lines({ from, to }, onDamaged) {
      let line = from;
      for await (const text of job.readLines(from, to)) {
        if (text === null) onDamaged?.(line);
        else yield parsePartLine(text, line);
        line += 1;
      }
    },
  };

  function replace(part: RemotePart, next: Partial<RemotePart>): RemotePart {
    const changed = { ...part, ...next };
    run.parts = run.parts.map((other) => (other.from === part.from ? changed : other));
    return changed;
  }

  return run;
}

function ofPart<T>(all: Map<number, PromiseWithResolvers<T>>, from: number): PromiseWithResolvers<T> {
  const one = all.get(from) ?? Promise.withResolvers<T>();
  all.set(from, one);
  return one;
}
