import { finalStatuses } from "#contract";
import { type Clock, createRateEstimate } from "#main/base";
import { type BatchRecord, describeDiskError, type Throughput } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** How often the throughput of a running batch is stored, in milliseconds: no more of it is lost with a process that dies. */
const storeInterval = 30_000;

export interface BatchProgress {
  readonly rate: number | null;
  readonly timeLeft: number | null;
  readonly throughput: readonly number[];
}

/** How fast batches go: measured while they run, and stored with their records. */
export interface ThroughputTracker {
  /** Called after each change of a batch, with the most calls that were in flight since the last one. */
  follow(batch: BatchRecord, inFlight: number): void;
  progress(batch: BatchRecord): BatchProgress;
  /** Stores the throughput of the batches that have not ended. */
  close(): void;
}

interface Measured {
  readonly meter: RateMeter;
  storedAt: number;
  /** When its last line was answered or given up; null while it runs. */
  endedAt: number | null;
}

export function createThroughputTracker({
  store,
  clock,
  logger,
}: Pick<BatchDeps, "store" | "clock" | "logger">): ThroughputTracker {
  const measured = new Map<string, Measured>();

  function measure(batch: BatchRecord, inFlight: number): void {
    const answered = countAsked(batch);
    const known = measured.get(batch.id);
    if (known !== undefined) known.meter.record(answered, inFlight);
    else
      measured.set(batch.id, {
        meter: createRateMeter(clock, answered, batch.pace),
        storedAt: clock.monotonic(),
        endedAt: null,
      });
  }

  /** The batch continues without: what can't be stored now is stored the next time. */
  function storeThroughput(batch: BatchRecord, about: Measured): void {
    about.storedAt = clock.monotonic();
    try {
      store.batches.put({ ...batch, pace: about.meter.throughput(about.endedAt ?? clock.monotonic()) });
    } catch (error) {
      // The disk itself reports what it refuses.
      if (describeDiskError(error) !== null) return;
      logger.warn("The throughput of a batch can't be stored", { batch: batch.id, error: String(error) });
    }
  }

  return {
    follow(batch, inFlight) {
      if (batch.status === "in_progress" || batch.status === "cancelling") measure(batch, inFlight);
      const about = measured.get(batch.id);
      if (about === undefined) return;
      if (endOf(batch) !== null) about.endedAt ??= clock.monotonic();
      if (finalStatuses.has(batch.status) || clock.monotonic() - about.storedAt >= storeInterval)
        storeThroughput(batch, about);
    },
    progress(batch) {
      const { counts, times, status, waiting, remote } = batch;
      const { meter, endedAt } = measured.get(batch.id) ?? {};
      const end = endOf(batch);
      const measuredSoFar = meter?.throughput(endedAt ?? clock.monotonic()) ?? batch.pace;
      const throughput = measuredSoFar === null ? [] : toRates(measuredSoFar);
      // The answers of a part arrive all at once at its end: that is no rate.
      if (remote !== null) return { rate: null, timeLeft: null, throughput };
      if (end !== null) {
        // A run of less than a millisecond counts as one.
        const rate =
          times.inProgress === null ? null : (countAsked(batch) * 1_000) / Math.max(end - times.inProgress, 1);
        return { rate, timeLeft: null, throughput };
      }
      const rate = waiting === null ? (meter?.rate() ?? null) : null;
      const isRunning = status === "in_progress" && waiting === null;
      const left = counts.total - counts.completed - counts.failed;
      return { rate, timeLeft: isRunning ? (meter?.timeLeft(left) ?? null) : null, throughput };
    },
    close() {
      for (const [id, about] of measured) {
        const batch = store.batches.get(id);
        if (batch !== undefined && !finalStatuses.has(batch.status)) storeThroughput(batch, about);
      }
    },
  };
}

/** Lines that were asked and answered: what was there already is no sign of how fast a batch is. */
function countAsked({ counts }: BatchRecord): number {
  return counts.completed + counts.failed - (counts.reused ?? 0);
}

/** When its last line was answered or given up; null while it runs. */
function endOf({ times }: BatchRecord): number | null {
  return times.finalizing ?? times.cancelled ?? times.expired;
}

/** Most samples of the throughput over time. */
const mostSamples = 120;

/** How fast the lines of one batch are answered. */
export interface RateMeter {
  /** How many lines are answered by now, and the most calls that were in flight since the last record. */
  record(answered: number, inFlight: number): void;
  /** Lines a second, as they come now; null while there is too little to go by. */
  rate(): number | null;
  /** Milliseconds until `left` more lines are answered; null while there is too little to go by. */
  timeLeft(left: number): number | null;
  /** What was answered until `end`, one sample a second; on long runs one in two, four … seconds. */
  throughput(end: number): Throughput;
}

/** Lines a second, of each sample. */
export function toRates({ sampleLength, samples }: Throughput): number[] {
  return samples.map((count) => (count * 1_000) / sampleLength);
}

/** A meter that starts now, with `answered` lines done before; its throughput continues from the one before. */
export function createRateMeter(
  clock: Pick<Clock, "monotonic">,
  answered: number,
  before: Throughput | null = null,
): RateMeter {
  let samples = [...(before?.samples ?? [])];
  let sampleLength = before?.sampleLength ?? 1_000;
  const created = clock.monotonic();
  const start = created - samples.length * sampleLength;
  let last = answered;
  const estimate = createRateEstimate(created, answered);

  /** The sample that a time falls into. Samples are joined in pairs while there would be too many. */
  function sampleAt(time: number): number {
    for (;;) {
      const at = Math.max(0, Math.floor((time - start) / sampleLength));
      if (at < mostSamples) {
        while (samples.length <= at) samples.push(0);
        return at;
      }
      const joined = [];
      for (let first = 0; first < samples.length; first += 2) {
        joined.push((samples[first] ?? 0) + (samples[first + 1] ?? 0));
      }
      samples = joined;
      sampleLength *= 2;
    }
  }

  return {
    record(now, inFlight) {
      const at = clock.monotonic();
      const sample = sampleAt(at);
      // There are fewer where a power cut took some, or where some turn out to be taken from other lines.
      samples[sample] = (samples[sample] ?? 0) + Math.max(0, now - last);
      last = now;
      estimate.record(at, now, inFlight);
    },
    rate: () => estimate.rate(clock.monotonic()),
    timeLeft: (left) => estimate.timeLeft(clock.monotonic(), left),
    throughput(end) {
      // The last sample is of a part of a second only, and left out where there is another.
      const whole = Math.max(1, sampleAt(end));
      return { sampleLength, samples: samples.slice(0, whole) };
    },
  };
}
