import { finalStatuses } from "#contract";
import type { BatchRecord } from "../store/index.ts";
import type { BatchParts } from "./parts.ts";
import { createRateMeter, type RateMeter, toThroughput } from "./rate-meter.ts";

/** How often the pace of a running batch is kept, in milliseconds: a process that dies takes no more of it along. */
const keepInterval = 30_000;

export interface BatchProgress {
  readonly rate: number | null;
  readonly timeLeft: number | null;
  readonly throughput: readonly number[];
}

/** How fast batches go: measured while they run, and kept with their records. */
export interface PaceKeeper {
  /** Hears of a batch after each of its changes. */
  follow(batch: BatchRecord): void;
  progress(batch: BatchRecord): BatchProgress;
  /** Keeps the pace of the batches that have not ended. */
  close(): void;
}

interface Measured {
  readonly meter: RateMeter;
  keptAt: number;
}

export function createPaceKeeper({ store, clock, logger }: Pick<BatchParts, "store" | "clock" | "logger">): PaceKeeper {
  const measured = new Map<string, Measured>();

  function measure(batch: BatchRecord): void {
    const answered = batch.counts.completed + batch.counts.failed;
    const known = measured.get(batch.id);
    if (known !== undefined) known.meter.record(answered);
    else measured.set(batch.id, { meter: createRateMeter(clock, answered, batch.pace), keptAt: clock.now() });
  }

  /** The batch goes on without: what can't be kept now is kept the next time. */
  function keep(batch: BatchRecord, about: Measured): void {
    const now = clock.now();
    about.keptAt = now;
    try {
      store.batches.put({ ...batch, pace: about.meter.pace(endOf(batch) ?? now) });
    } catch (error) {
      logger.warn("The pace of a batch can't be kept", { batch: batch.id, error: String(error) });
    }
  }

  return {
    follow(batch) {
      if (batch.status === "in_progress" || batch.status === "cancelling") measure(batch);
      const about = measured.get(batch.id);
      if (about === undefined) return;
      if (finalStatuses.has(batch.status) || clock.now() - about.keptAt >= keepInterval) keep(batch, about);
    },
    progress(batch) {
      const { counts, times, status } = batch;
      const meter = measured.get(batch.id)?.meter;
      const answered = counts.completed + counts.failed;
      const end = endOf(batch);
      const pace = meter?.pace(end ?? clock.now()) ?? batch.pace;
      const throughput = pace === null ? [] : toThroughput(pace);
      if (end !== null) {
        // A run of less than a millisecond counts as one.
        const rate = times.inProgress === null ? null : (answered * 1_000) / Math.max(end - times.inProgress, 1);
        return { rate, timeLeft: null, throughput };
      }
      const rate = meter?.rate() ?? null;
      const isRunning = status === "in_progress" && rate !== null && rate > 0;
      return { rate, timeLeft: isRunning ? ((counts.total - answered) * 1_000) / rate : null, throughput };
    },
    close() {
      for (const [id, about] of measured) {
        const batch = store.batches.get(id);
        if (batch !== undefined && !finalStatuses.has(batch.status)) keep(batch, about);
      }
    },
  };
}

/** When its last line was answered or given up; null while it runs. */
function endOf({ times }: BatchRecord): number | null {
  return times.finalizing ?? times.cancelled ?? times.expired;
}
