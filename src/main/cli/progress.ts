import cliProgress from "cli-progress";
import { formatCount } from "#contract";
import { createRateEstimate } from "#main/base";
import type { CommandProcess } from "./command-process.ts";

/** The progress of a long task. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

export interface ProgressOptions {
  /** What is being done, as one word: `Checking`. */
  readonly label: string;
  /** For people: `300 of 1,319 requests`. */
  readonly phrase: (done: number, total: number) => string;
  /** How many are worked on at the same time; 1 by default. */
  readonly inFlight?: number;
  /** Milliseconds until the end, where they are known; by default estimated from the updates. */
  readonly timeLeft?: () => number | null;
  /** Shows nothing when true. */
  readonly silent: boolean;
  readonly io: Pick<CommandProcess, "stderr" | "machine">;
}

const firstLineAfter = 2_000;
const lineEvery = 10_000;
const silentInterval = 1_000;

/** A bar on a terminal; otherwise a plain line after two seconds and every ten; nothing when silent. */
export function createProgress(options: ProgressOptions): Progress {
  if (options.silent) return { update() {}, stop() {} };
  return options.io.stderr.isTTY ? createBar(options) : createLines(options);
}

/** The progress of a running batch: how many of its requests are completed or failed. */
export function createRequestProgress(output: Pick<ProgressOptions, "silent" | "io" | "timeLeft">): Progress {
  return createProgress({
    label: "Running",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "request")}`,
    ...output,
  });
}

function createBar({ label, phrase, inFlight = 1, timeLeft, io: { stderr, machine } }: ProgressOptions): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} [{bar}] {percentage}% · {state}{left}`,
      stream: stderr,
      hideCursor: true,
      clearOnComplete: true,
      barsize: 30,
    },
    cliProgress.Presets.shades_classic,
  );
  const estimate = createRateEstimate(machine.monotonic(), 0);
  let shown = { done: 0, total: 0 };
  let stopRepeating: (() => void) | null = null;
  const describeState = () => {
    const { done, total } = shown;
    const left = timeLeft === undefined ? estimate.timeLeft(machine.monotonic(), total - done) : timeLeft();
    return { state: phrase(done, total), left: left === null ? "" : ` · ${formatLeft(left)} left` };
  };
  return {
    update(done, total) {
      shown = { done, total };
      estimate.record(machine.monotonic(), done, inFlight);
      if (stopRepeating === null) bar.start(total, done, describeState());
      else {
        bar.setTotal(total);
        bar.update(done, describeState());
      }
      // Silence makes the time left longer.
      stopRepeating ??= machine.every(silentInterval, () => bar.update(shown.done, describeState()), { unref: true });
    },
    stop() {
      stopRepeating?.();
      if (stopRepeating !== null) bar.stop();
    },
  };
}

function formatLeft(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function createLines({ label, phrase, io: { stderr, machine } }: ProgressOptions): Progress {
  let next = machine.monotonic() + firstLineAfter;
  return {
    update(done, total) {
      if (machine.monotonic() < next) return;
      next = machine.monotonic() + lineEvery;
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      stderr.write(`${label}: ${percent}%, ${phrase(done, total)}\n`);
    },
    stop() {},
  };
}
