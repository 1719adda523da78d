import cliProgress from "cli-progress";
import { formatCount } from "#contract";
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
  /** Shows nothing when true. */
  readonly silent: boolean;
  readonly io: Pick<CommandProcess, "stderr" | "machine">;
}

const firstLineAfter = 2_000;
const lineEvery = 10_000;

/** A bar on a terminal; otherwise a plain line after two seconds and every ten; nothing when silent. */
export function createProgress(options: ProgressOptions): Progress {
  if (options.silent) return { update() {}, stop() {} };
  return options.io.stderr.isTTY ? createBar(options) : createLines(options);
}

/** The progress of a running batch: how many of its requests are completed or failed. */
export function createRequestProgress(output: Pick<ProgressOptions, "silent" | "io">): Progress {
  return createProgress({
    label: "Running",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "request")}`,
    ...output,
  });
}

function createBar({ label, phrase, io }: ProgressOptions): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} [{bar}] {percentage}% · {state} · {eta_formatted} left`,
      stream: io.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
      barsize: 30,
    },
    cliProgress.Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total) {
      const payload = { state: phrase(done, total) };
      if (!started) bar.start(total, done, payload);
      else {
        bar.setTotal(total);
        bar.update(done, payload);
      }
      started = true;
    },
    stop() {
      if (started) bar.stop();
    },
  };
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
