import {
  answerEnds,
  type BatchCost,
  describeEnds,
  describeKnownCost,
  describeMisfits,
  type EndCounts,
  formatCount,
  type Problem,
} from "#contract";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { nameOutput } from "./atomic-file.ts";
import { type ExitCode, exitCodes } from "./cli-error.ts";
import { type CommandProcess, print, printError } from "./command-process.ts";
import { formatProblem, formatSeconds, summarizeProblems } from "./format.ts";
import type { InputRows } from "./input-rows.ts";

interface ReportFlags {
  readonly output?: string | undefined;
  readonly errors?: string | undefined;
  readonly json: boolean;
}

/** Reports the problems in the rows of a file, by their lines in it. None of the rows was run. */
export function reportProblems(
  { file, lineOf }: Pick<InputRows, "file" | "lineOf">,
  found: readonly Problem[],
  { json }: Pick<ReportFlags, "json">,
  io: CommandProcess,
): ExitCode {
  const problems = found.map((problem) => ({ ...problem, line: problem.line && lineOf(problem.line) }));
  if (json) {
    print(JSON.stringify({ file, valid: false, problems }), io);
  } else {
    for (const problem of problems) printError(formatProblem(file, problem), io);
    printError(`${file}: ${summarizeProblems(problems)}; nothing was run.`, io);
  }
  return exitCodes.unusable;
}

/** The outcome of a batch, or its progress so far. */
export interface BatchOutcome {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Of those that failed, how many await their result. */
  readonly awaited?: number | undefined;
  /** How the completed ones ended. */
  readonly ends: EndCounts;
  /** How many of them break the JSON schemas of their requests; null where they were not counted. */
  readonly misfits: number | null;
  /** Answers that were left out, because their bytes on disk are not those that were written. */
  readonly damaged: number;
  /** How long the command took, in milliseconds. */
  readonly took: number;
  /** The details of a job on a connection. */
  readonly job?: JobOutcome;
}

export interface JobOutcome {
  readonly id: string;
  readonly connection: string;
  /** Lines that reused an earlier answer. */
  readonly reused: number;
  /** Null where it is not known. */
  readonly cost: BatchCost | null;
}

/**
 * How many answers of a batch break their schemas, with what its retries have answered. Null where they can't be counted, which
 * is printed: the answers are there all the same.
 */
export async function countMisfits(
  { results }: { readonly results: Pick<Service["results"], "countMisfits"> },
  { id }: Pick<BatchRecord, "id">,
  io: Pick<CommandProcess, "stderr">,
): Promise<number | null> {
  try {
    return await results.countMisfits(id, { merged: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printError(`Answers that break their schema were not counted: ${reason}`, io);
    return null;
  }
}

/** How many answers ended in each way, for scripts. */
export function listEnds(ends: EndCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(answerEnds.map((end) => [end, ends[end] ?? 0]));
}

/** Tells how answers are asked again that were cut or are empty. */
function suggestRetry({ id }: JobOutcome, { cut = 0, empty = 0 }: EndCounts, io: CommandProcess): void {
  if (cut + empty === 0) return;
  const flags = [cut > 0 ? " --cut" : "", empty > 0 ? " --empty" : ""].join("");
  const which = cut + empty === 1 ? "that answer" : "those answers";
  printError(`sheaf retry ${id}${flags} asks for ${which} again, with twice the token limit.`, io);
}

/** Reports the outcome of a batch, and returns the exit code. */
export function reportOutcome(outcome: BatchOutcome, flags: ReportFlags, io: CommandProcess): ExitCode {
  const { total, completed, awaited = 0, ends, misfits, damaged, took, job } = outcome;
  const failed = outcome.failed - awaited;
  const neverRan = total - completed - failed - awaited - damaged;
  if (flags.json) {
    const { output = null, errors = null } = flags;
    const counts = {
      valid: true,
      total,
      completed,
      failed,
      ends: listEnds(ends),
      breaks_schema: misfits,
      output,
      errors,
      seconds: took / 1_000,
    };
    print(
      JSON.stringify({
        ...counts,
        ...(awaited > 0 && { awaited }),
        ...(damaged > 0 && { damaged }),
        ...(job && { ...job, cost: job.cost?.usd ?? null, ...describeGaps(job.cost), never_ran: neverRan }),
      }),
      io,
    );
  } else {
    const target = flags.output === undefined ? "nothing written" : nameOutput(flags.output);
    const failures =
      failed === 0
        ? ""
        : `, ${failed.toLocaleString("en")} failed (see ${flags.errors === undefined ? target : nameOutput(flags.errors)})`;
    const late = awaited === 0 ? "" : `, ${formatCount(awaited, "result")} not there yet`;
    const reused = job?.reused ? `, ${job.reused.toLocaleString("en")} of them in earlier jobs` : "";
    const waiting = job === undefined || neverRan === 0 ? "" : `, ${neverRan.toLocaleString("en")} without an answer`;
    const answered = `${completed.toLocaleString("en")} of ${formatCount(total, "request")} answered`;
    const found = [...describeEnds(ends), ...describeMisfits(misfits)];
    const ended = found.length === 0 ? "" : ` (${found.join(", ")})`;
    const cost = job?.cost == null ? "" : ` for ${describeKnownCost(job.cost)}`;
    const isOne = damaged === 1;
    if (damaged > 0) {
      const again = job === undefined ? "" : ` sheaf retry ${job.id} asks ${isOne ? "it" : "them"} again.`;
      const were = isOne ? "is damaged on disk, and was" : "are damaged on disk, and were";
      printError(`${formatCount(damaged, "answer")} ${were} left out.${again}`, io);
    }
    printError(
      `${target}: ${answered}${ended}${reused}${failures}${late}${waiting} in ${formatSeconds(took)}${cost}.`,
      io,
    );
    if (job !== undefined) suggestRetry(job, ends, io);
  }
  return failed + awaited + damaged + neverRan === 0 ? exitCodes.ok : exitCodes.failed;
}

/** What keeps a cost from being exact; nothing where it is. */
function describeGaps(cost: BatchCost | null) {
  if (cost === null) return {};
  const { unknown, isCeiling, isToday } = cost;
  return {
    ...(unknown > 0 && { at_least: true, without_price: unknown }),
    ...(isCeiling && { at_most: true }),
    ...(isToday && { todays_prices: true }),
  };
}
