import { backOff, type ObservedCapabilities } from "#contract";
import type { CreateChoice, Machine, RemoteJob, RemotePart } from "#service";
import { type BatchAdapter, type PartLine, parsePartLine } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import type { BatchPoller } from "./batch-poller.ts";

/** What is known of a service, and what its batches taught of it. */
export interface ServiceTraits {
  /** Whether it says how many lines are done while a batch runs. */
  readonly hasCounts: boolean;
  /** How long it keeps results; null where that is not known. */
  readonly resultsKeptDays: number | null;
  /** The longest that a batch takes there, as the service writes it. */
  readonly window: string;
  readonly learned: ObservedCapabilities;
}

/** How often each line came that came again, or was not asked, by its id. */
export interface ResultAnomalies {
  readonly repeated: Map<string, number>;
  readonly unknown: Map<string, number>;
}

/** What the driver of a connection shares with the runs of all its batches. */
export interface DriverParts {
  readonly adapter: BatchAdapter;
  readonly poller: BatchPoller;
  readonly machine: Machine;
  readonly traits: ServiceTraits;
  /** Where the files of parts lie while they are uploaded. */
  readonly folder: string;
  /** The first wait after a failure of the connection, in milliseconds; it doubles up to five minutes. */
  readonly firstDelay: number;
  /** How long the batch of a create without an answer is looked for, from the first list that could be read, in milliseconds. */
  readonly lookingTime: number;
  /** Keeps what a batch taught of the service. */
  learn(seen: Partial<ObservedCapabilities>): void;
}

/** What the steps of a part on its way through a service share: one for each run of a batch. */
export interface PartRun extends DriverParts {
  readonly job: RemoteJob;
  /** The batch's parts as they are now. */
  parts: readonly RemotePart[];
  /** Lines of the results so far that came again, or were not asked. */
  readonly anomalies: ResultAnomalies;
  /** When one of them last moved at the service, by the monotonic clock. */
  movedAt: number;
  /** Aborted when the run is to end where it is. */
  readonly signal: AbortSignal;
  /** Aborted when nothing more is to be sent: by a cancel, too. */
  readonly sending: AbortSignal;
  readonly isCancelled: () => boolean;
  /** The part with something changed, which is on disk when this returns. */
  change(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** The same for what a restart need not know. */
  show(part: RemotePart, next: Partial<RemotePart>): RemotePart;
  /** Sets why nothing moves, which is the user's decision as long as one is open; null when it moves again. */
  wait(reason: string | null): void;
  /** Sets a notice of its kind, beside those of other kinds; null takes it back. */
  setNotice(kind: string, text: string | null): void;
  /** Does something that asks the service, again and again until it answers; `hint` is added to why it waits. */
  retryUntilAnswered<T>(work: () => Promise<T>, hint?: string): Promise<T>;
  /** Sets why nothing moves, and waits as after `attempt` failures. Throws what is no failure of the connection. */
  waitAfter(error: unknown, attempt: number, hint?: string): Promise<void>;
  /** Waits. A cancel meanwhile ends the wait, an end of the run rejects. */
  rest(milliseconds: number): Promise<void>;
  /** What the user decides of an unsure create; null when that took longer, or the run was cancelled. */
  awaitChoice(milliseconds: number): Promise<CreateChoice | null>;
  /**
   * Hands over what the user decided, also before that is awaited. Null when nothing is to be decided; resolves when nothing is
   * any more.
   */
  choose(choice: CreateChoice): Promise<void> | null;
  lines(part: Pick<RemotePart, "from" | "to">): AsyncIterable<PartLine>;
}

const inDoubt =
  "The service may have this batch: the answer to its creation was lost, and looking for it found none for sure.";

/** The longest wait between two attempts, in milliseconds. */
export const longestDelay = 5 * 60_000;

/** How long before this run nothing had moved, in milliseconds. */
function findStillness(parts: readonly RemotePart[], machine: Machine): number {
  const moves = parts.flatMap(({ movedAt }) => movedAt ?? []);
  return moves.length === 0 ? 0 : Math.max(0, machine.wall() - Math.max(...moves));
}

export function createPartRun(
  job: RemoteJob,
  driver: DriverParts,
  signal: AbortSignal,
  cancelled: AbortSignal,
): PartRun {
  const { machine, firstDelay } = driver;
  const sending = AbortSignal.any([signal, cancelled]);
  let choosing = Promise.withResolvers<CreateChoice | null>();
  let settling = Promise.withResolvers<void>();
  const notices = new Map<string, string>();

  const run: PartRun = {
    ...driver,
    job,
    parts: job.parts ?? [],
    anomalies: { repeated: new Map(), unknown: new Map() },
    movedAt: machine.monotonic() - findStillness(job.parts ?? [], machine),
    signal,
    sending,
    isCancelled: () => cancelled.aborted,
    change(part, next) {
      const changed = replace(part, next);
      if (next.movedAt !== undefined) run.movedAt = machine.monotonic();
      if (part.candidates !== null && changed.candidates === null) {
        settling.resolve();
        settling = Promise.withResolvers();
        // What was decided of this one is not for the next.
        choosing = Promise.withResolvers();
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
      job.wait(isInDoubt ? inDoubt : reason);
    },
    setNotice(kind, text) {
      if (text === null) notices.delete(kind);
      else notices.set(kind, text);
      job.notice([...notices.values()].join(" ") || null);
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
    async rest(milliseconds) {
      // Only a cancel that comes now ends a rest: what is still done for a cancelled batch has its rests, too.
      await machine.sleep(milliseconds, cancelled.aborted ? signal : sending).catch(() => {});
      signal.throwIfAborted();
    },
    async awaitChoice(milliseconds) {
      const { promise, resolve } = choosing;
      const giveUp = () => resolve(null);
      const cancelTimer = machine.after(milliseconds, giveUp);
      sending.addEventListener("abort", giveUp, { once: true });
      if (sending.aborted) giveUp();
      const choice = await promise;
      choosing = Promise.withResolvers();
      cancelTimer();
      sending.removeEventListener("abort", giveUp);
      signal.throwIfAborted();
      return choice;
    },
    choose(choice) {
      if (signal.aborted || !run.parts.some(({ candidates }) => candidates !== null)) return null;
      choosing.resolve(choice);
      return settling.promise;
    },
    async *lines({ from, to }) {
      let line = from;
      for await (const text of job.readLines(from, to)) yield parsePartLine(text, line++);
    },
  };

  function replace(part: RemotePart, next: Partial<RemotePart>): RemotePart {
    const changed = { ...part, ...next };
    run.parts = run.parts.map((other) => (other.from === part.from ? changed : other));
    return changed;
  }

  return run;
}
