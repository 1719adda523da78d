import type { Engine, Logger } from "../ports.ts";

/** Longest time for which tasks are started in a row before the event loop has its turn, in milliseconds. */
const turnLength = 4;

/** The lines of one running batch, as the scheduler sees them. */
export interface Lane {
  /** Its share of the engine beside other lanes. */
  readonly weight: number;
  /** The next piece of work, taken when it is called; null when there is none right now. */
  take(): (() => Promise<void>) | null;
}

export interface LaneHandle {
  /** Tells that the lane may have work again. */
  wake(): void;
  /** Takes the lane out; what it has in flight no longer counts against the engine's concurrency. */
  remove(): void;
}

/** Hands the work of all lanes to the engine, by their weights, never more at a time than it takes. */
export interface Scheduler {
  /** Takes a lane in; its first `wake` starts it. */
  add(lane: Lane): LaneHandle;
}

interface Entry {
  readonly lane: Lane;
  inFlight: number;
  /** Work taken so far over weight: the lane with the least is next. */
  pass: number;
  removed: boolean;
}

export function createScheduler(engine: Pick<Engine, "concurrency">, logger: Logger): Scheduler {
  const entries = new Set<Entry>();
  let inFlight = 0;
  let turnStart = 0;
  let resting = false;

  /**
   * Starts work while there is some, the engine takes more, and the turn lasts: an engine that answers at once would
   * otherwise keep the event loop from everything else.
   */
  function pump(): void {
    while (!resting && inFlight < engine.concurrency) {
      if (performance.now() - turnStart > turnLength) {
        rest();
        return;
      }
      if (!startNext()) return;
    }
  }

  function rest(): void {
    resting = true;
    setImmediate(() => {
      resting = false;
      turnStart = performance.now();
      pump();
    });
  }

  function startNext(): boolean {
    for (const entry of [...entries].sort((a, b) => a.pass - b.pass)) {
      const task = entry.lane.take();
      if (task === null) continue;
      entry.pass += 1 / entry.lane.weight;
      entry.inFlight += 1;
      inFlight += 1;
      task().then(
        () => end(entry),
        (error: unknown) => {
          logger.error("A line of a batch failed to run", { error: String(error) });
          end(entry);
        },
      );
      return true;
    }
    return false;
  }

  function end(entry: Entry): void {
    if (entry.removed) return;
    entry.inFlight -= 1;
    inFlight -= 1;
    pump();
  }

  return {
    add(lane) {
      const passes = Array.from(entries, (entry) => entry.pass);
      const entry: Entry = { lane, inFlight: 0, pass: passes.length > 0 ? Math.min(...passes) : 0, removed: false };
      entries.add(entry);
      return {
        wake: pump,
        remove() {
          if (!entries.delete(entry)) return;
          entry.removed = true;
          inFlight -= entry.inFlight;
          pump();
        },
      };
    },
  };
}
