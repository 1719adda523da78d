import type { VerificationRun } from "#contract";
import { createRateMeter } from "../batches/index.ts";
import { ServiceError } from "../errors.ts";
import type { Clock, Logger } from "../ports.ts";
import type { BatchVerdicts } from "../verdicts/index.ts";
import type { JudgeLines } from "./judge-lines.ts";
import type { LineInput } from "./read-inputs.ts";

/** The verification of one batch in this process: under way, or why it ended. */
export interface Run {
  readonly isRunning: boolean;
  /** Why it could not go on; null otherwise. */
  readonly problem: string | null;
  /** Lines a second; null while there is too little to tell. */
  rate(): number | null;
  /** Resolves when no more verdicts come, and those that came are on disk. */
  readonly ended: Promise<void>;
  /** Gives up what is being judged. */
  stop(): void;
}

export interface RunParts {
  readonly batchId: string;
  readonly verdicts: BatchVerdicts;
  readonly inputs: AsyncIterable<readonly LineInput[]>;
  readonly judgeLines: JudgeLines;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each change. */
  readonly onChange: () => void;
}

/** Judges all inputs and puts the verdicts down. */
export function startRun({ batchId, verdicts, inputs, judgeLines, clock, logger, onChange }: RunParts): Run {
  const stopping = new AbortController();
  const { signal } = stopping;
  const meter = createRateMeter(clock, verdicts.index.done);
  let isRunning = true;
  let problem: string | null = null;

  async function judgeAll(): Promise<void> {
    try {
      await judgeLines(
        inputs,
        async (lines) => {
          if (signal.aborted) return;
          await verdicts.append(lines);
          meter.record(verdicts.index.done);
          onChange();
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) problem = tellProblem(error, batchId, logger);
    }
    stopping.abort();
    await verdicts.rest();
    isRunning = false;
  }

  const ended = judgeAll();
  return {
    get isRunning() {
      return isRunning;
    },
    get problem() {
      return problem;
    },
    rate: () => meter.rate(),
    ended,
    stop: () => stopping.abort(),
  };
}

/** What the user is told of a run that could not go on. */
function tellProblem(error: unknown, batchId: string, logger: Logger): string {
  if (error instanceof ServiceError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") {
    return "The disk is full. Make some room, then resume.";
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error("The verification of a batch failed", { batch: batchId, error: details });
  return "It could not go on; the log says more. Resume to try again.";
}

/** How far the verification of a batch is; `run` is the one in this process, if there was one. */
export function describeRun(batchId: string, { header, index }: BatchVerdicts, run: Run | undefined): VerificationRun {
  const { choice, document, strict, total } = header;
  const isEarlier = header.version === 1;
  const done = isEarlier ? total : index.done;
  const about = {
    batchId,
    choice,
    document,
    strict,
    isEarlier,
    total,
    done,
    counts: index.counts(),
    kinds: index.kinds(),
    rate: null,
    timeLeft: null,
    problem: null,
  };
  if (run?.isRunning) {
    const rate = run.rate();
    return { ...about, state: "running", rate, timeLeft: rate ? ((total - done) * 1_000) / rate : null };
  }
  if (done >= total) return { ...about, state: "done" };
  const problem = run?.problem ?? null;
  return { ...about, state: problem === null ? "stopped" : "failed", problem };
}
