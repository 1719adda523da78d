import type { Engine } from "#main/base";
import { nextTurn } from "#main/base";
import type { Tier } from "#main/requests";
import type { BatchRecord } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** Longest time for which tasks are started in a row before the event loop has its turn, in milliseconds. */
const turnLength = 4;

/**
 * How far a queue that had no work for a while (its next requests were being read, or its answers written) may catch up
 * with the others, in lines of weight 1. Enough for such a pause; so little that no one waits for it.
 */
const mostCredit = 200;

/** A piece of work: resolves when it is done; answers with null when it was done at once. */
export type Work = () => Promise<void> | null;

/** The lines of one running batch, as the scheduler sees them. */
export interface WorkQueue {
  /** Its share of the engine next to other queues. */
  readonly weight: number;
  /**
   * The next piece of work, taken when it is called; null when there is none right now. `reading` where it has to be read
   * first: the queue wakes the scheduler then.
   */
  take(): Work | "reading" | null;
  /** Called with what `take` threw, or starting its work: nothing more is taken of the queue. */
  fail(error: unknown): void;
}

export interface QueueHandle {
  /** Called when the queue may have work again. */
  wake(): void;
  /** Removes the queue; what it has in flight no longer counts against the engine's concurrency. */
  remove(): void;
}

/** Hands the work of all queues to the engine, by their weights, never more at a time than it takes. */
export interface Scheduler {
  /** Adds a queue; its first `wake` starts it. */
  add(queue: WorkQueue): QueueHandle;
}

interface Entry {
  readonly queue: WorkQueue;
  inFlight: number;
  /** Work taken so far over weight: of the queues that have work, the one with the least is next. */
  pass: number;
}

interface SchedulerDeps extends Pick<BatchDeps, "clock" | "machine" | "logger"> {
  readonly store: Pick<BatchDeps["store"], "disk">;
}

export function createScheduler(
  engine: Pick<Engine, "concurrency">,
  { clock, machine, logger, store: { disk } }: SchedulerDeps,
): Scheduler {
  const entries = new Set<Entry>();
  /** Begins when the event loop has had its turn. */
  let turn = { start: 0, isOver: false };
  let isPlanned = false;
  /** The highest pass at which work has been taken: where the queues are that are never idle. */
  let front = 0;

  /** Calls of all queues; one that is removed has none. */
  function countInFlight(): number {
    let inFlight = 0;
    for (const entry of entries) inFlight += entry.inFlight;
    return inFlight;
  }

  /** On a clock that stands still, whose turn it is must not depend on whose requests the disk has read first. */
  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    clock.whenSettled(() => {
      isPlanned = false;
      pump();
    });
  }

  /**
   * Starts work while there is some, the engine takes more, and the turn lasts: an engine that answers at once would
   * otherwise keep the event loop from everything else.
   */
  function pump(): void {
    // What is answered while the disk refuses could be lost, and asked and paid again.
    while (disk.failure === null && !turn.isOver && countInFlight() < engine.concurrency) {
      if (machine.monotonic() - turn.start > turnLength) {
        rest();
        return;
      }
      if (!startNext()) return;
    }
  }

  function rest(): void {
    turn = { ...turn, isOver: true };
    const waiting = clock.track("requests that are about to be sent");
    void nextTurn().then(() => {
      turn = { start: machine.monotonic(), isOver: false };
      plan();
      waiting.end();
    });
  }

  function startNext(): boolean {
    const idle = new Set<Entry>();
    for (let entry = findNext(idle); entry !== null; entry = findNext(idle)) {
      const task = takeFrom(entry);
      if (task === null || task === "reading") {
        // On a clock that stands still no other queue takes its turn while it reads: the same on every run.
        if (task === "reading" && clock.speed === 0) return false;
        idle.add(entry);
        continue;
      }
      start(entry, task);
      return true;
    }
    return false;
  }

  /** A queue that fails stands in the way of no other. */
  function takeFrom(entry: Entry): Work | "reading" | null {
    try {
      return entry.queue.take();
    } catch (error) {
      fail(entry, error);
      return null;
    }
  }

  function fail(entry: Entry, error: unknown): void {
    logger.error("A queue of requests failed", { error: String(error) });
    remove(entry);
    entry.queue.fail(error);
  }

  function remove(entry: Entry): void {
    if (!entries.delete(entry)) return;
    plan();
  }

  /** The queue with the least pass, the one that came first of equals. */
  function findNext(idle: ReadonlySet<Entry>): Entry | null {
    let next: Entry | null = null;
    for (const entry of entries) {
      if ((next === null || entry.pass < next.pass) && !idle.has(entry)) next = entry;
    }
    return next;
  }

  /** The pass of the next queue: a new one starts where the queues in line are, without their credit. */
  function findStart(): number {
    const passes = Array.from(entries, (entry) => entry.pass);
    return Math.max(front - mostCredit, Math.min(front, ...passes));
  }

  function start(entry: Entry, work: Work): void {
    entry.pass = Math.max(entry.pass, front - mostCredit);
    front = Math.max(front, entry.pass);
    entry.pass += 1 / entry.queue.weight;
    entry.inFlight += 1;
    const resume = () => {
      end(entry);
      plan();
    };
    try {
      const working = work();
      if (working === null) end(entry);
      else
        working.then(resume, (error: unknown) => {
          fail(entry, error);
          resume();
        });
    } catch (error) {
      fail(entry, error);
    }
  }

  function end(entry: Entry): void {
    entry.inFlight -= 1;
  }

  disk.subscribe(() => {
    if (disk.failure === null) plan();
  });

  return {
    add(queue) {
      const entry: Entry = { queue, inFlight: 0, pass: findStart() };
      entries.add(entry);
      return {
        wake: plan,
        remove: () => remove(entry),
      };
    },
  };
}

/** The priorities of batches (docs/spec/service-interface.md, Limits: Batch request priority). */
type Priority = "standard" | "high";

/** `Standard` and `High` batches that run together share the engine 1 : 3 (docs/spec/decisions.md, Tiers). */
const weights: Readonly<Record<Priority, number>> = { standard: 1, high: 3 };

const priorityByTier: Readonly<Record<Tier, Priority>> = { free: "standard", standard: "high" };

/**
 * A batch's share of the engine next to others. Its `priority` in the metadata (`standard` or `high`) wins over the tier's;
 * any other word there is the user's own and means nothing here.
 */
export function weightOf({ metadata }: Pick<BatchRecord, "metadata">, tier: Tier): number {
  const { priority } = metadata;
  return weights[priority === "standard" || priority === "high" ? priority : priorityByTier[tier]];
}
