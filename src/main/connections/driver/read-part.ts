import { crc32 } from "node:zlib";
import type { RemotePart } from "#main/base";
import type { PartLine } from "#main/requests";
import type { RemoteOutcome, RemoteResult, UnreadableResult } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import { noAnomalies, type PartRun, type ResultAnomalies } from "./part-run.ts";
import { reportAnomalies } from "./report-anomalies.ts";

/** The results of a part, over several reads of them: a service may hand out a few at first, and an error before an answer. */
export interface PartReader {
  /**
   * Reads the results that the record names. Answers are recorded as they come, and errors kept back. Returns why not all could
   * be read; null where all could.
   */
  read(batch: RemoteBatch): Promise<ConnectionError | null>;
  /** Lines of ours without any result so far. */
  countOpen(): number;
  /** How many results the service counts that were not read; null where its counts carry no information. */
  countMissing(batch: RemoteBatch): number | null;
  /** Records the errors that were kept back. */
  recordErrors(): Promise<void>;
  /** Records the outcome of each line without a result; returns how many there are. */
  recordOpen(outcome: RemoteOutcome): Promise<number>;
  readonly unreadable: ResultAnomalies["unreadable"];
  /** Ids in the results under which nothing was sent. */
  readonly unknown: ReadonlyMap<string, number>;
}

type Line = Pick<PartLine, "line" | "customId">;

/** The most answers that wait to be written. */
const recordedAtOnce = 1_000;

export async function createPartReader(part: RemotePart, run: PartRun): Promise<PartReader> {
  const { adapter, job, signal } = run;
  /** By the ids under which they were sent. */
  const own = new Map<string, Line>();
  /** Those that are damaged on disk: under which ids they were sent is not known. */
  const damaged: number[] = [];
  for await (const line of run.lines(part, (number) => damaged.push(number))) {
    own.set(adapter.toRemoteId(line), { line: line.line, customId: line.customId });
  }
  const [only] = damaged;
  /** The one result that fits no other line is that of the one line whose id is not known: its own id counts. */
  const find = (remoteId: string): Line | undefined =>
    own.get(remoteId) ?? (only !== undefined && damaged.length === 1 ? { line: only, customId: remoteId } : undefined);
  /** A checksum of each answer that was read. */
  const answers = new Map<string, number>();
  const errors = new Map<string, RemoteOutcome>();
  /** The ids in the files of a service, but for those that never ran: what it counts as done. */
  const rows = { output: new Set<string>(), error: new Set<string>() };
  const unreadableRows = { output: 0, error: 0 };
  const anomalies = noAnomalies();

  const hasResult = (id: string, { line }: Line) => errors.has(id) || job.isAnswered(line);

  function countOpen(): number {
    let open = 0;
    for (const [id, line] of own) if (!hasResult(id, line)) open += 1;
    const isHeld = damaged.length === 1 && errors.keys().some((id) => !own.has(id));
    for (const line of damaged) if (!job.isAnswered(line) && !isHeld) open += 1;
    return open;
  }

  /** Takes one result; returns whether it was recorded. */
  function take({ remoteId, outcome, isOfErrors }: RemoteResult, seen: Set<string>, found: ResultAnomalies): boolean {
    if (isOfErrors || outcome.state !== "never_ran") rows[isOfErrors ? "error" : "output"].add(remoteId);
    const line = find(remoteId);
    const count = (ids: Map<string, number>, id: string) => void ids.set(id, (ids.get(id) ?? 0) + 1);
    if (line === undefined) {
      count(found.unknown, remoteId);
      return false;
    }
    const checksum = outcome.state === "answered" ? crc32(JSON.stringify(outcome.completion)) : null;
    const first = answers.get(remoteId);
    const isOther = checksum !== null && first !== undefined && checksum !== first;
    if (isOther) count(found.different, line.customId);
    else if (seen.has(remoteId)) count(found.repeated, line.customId);
    seen.add(remoteId);
    if (checksum === null) {
      // An answer in another file or a later read counts more: it is written once nothing more is to come.
      if (!job.isAnswered(line.line) && !errors.has(remoteId)) errors.set(remoteId, outcome);
      return false;
    }
    if (first === undefined) answers.set(remoteId, checksum);
    errors.delete(remoteId);
    if (job.hasAnswer(line.line)) return false;
    record(line, outcome, run);
    return true;
  }

  async function readAll(batch: RemoteBatch, found: ResultAnomalies, bad: typeof unreadableRows): Promise<void> {
    const seen = new Set<string>();
    let recorded = 0;
    for await (const result of adapter.results(batch, signal)) {
      if (isUnreadable(result)) {
        found.unreadable[result.unreadable] += 1;
        bad[result.isOfErrors ? "error" : "output"] += 1;
      } else if (take(result, seen, found)) {
        recorded += 1;
        if (recorded % recordedAtOnce === 0) await job.drained();
      }
    }
  }

  return {
    async read(batch) {
      if (batch.outputFileId === null && batch.errorFileId === null) return null;
      const found = noAnomalies();
      const bad = { output: 0, error: 0 };
      let problem: ConnectionError | null = null;
      try {
        await readAll(batch, found, bad);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        problem = error;
      }
      // Half a line at the place where a download was cut is no line of the results.
      if (problem === null) {
        for (const file of ["output", "error"] as const)
          unreadableRows[file] = Math.max(unreadableRows[file], bad[file]);
        mergeAnomalies(anomalies, found);
        reportAnomalies(part, anomalies, run);
      }
      await job.drained();
      return problem;
    },
    countOpen,
    countMissing({ counts }) {
      const open = countOpen();
      if (open === 0) return 0;
      if (counts === null || counts.completed + counts.failed === 0) {
        // Lines that can't be read are those without a result: another read finds no more.
        return unreadableRows.output + unreadableRows.error >= open ? 0 : null;
      }
      const { completed, failed } = counts;
      const read = rows.output.size + unreadableRows.output;
      const readErrors = rows.error.size + unreadableRows.error;
      if (!adapter.hasErrorFile) return Math.min(open, Math.max(0, completed + failed - read));
      // Errors that are among the outputs are more of these than were counted as completed.
      const spare = Math.max(0, read - completed);
      return Math.min(open, Math.max(0, completed - read) + Math.max(0, failed - readErrors - spare));
    },
    async recordErrors() {
      for (const [id, outcome] of errors) {
        const line = find(id);
        if (line !== undefined && !job.isAnswered(line.line)) record(line, outcome, run);
      }
      errors.clear();
      await job.drained();
    },
    async recordOpen(outcome) {
      let count = 0;
      for (const [id, line] of own) {
        if (hasResult(id, line)) continue;
        record(line, outcome, run);
        count += 1;
      }
      for (const line of damaged) if (!job.isAnswered(line)) job.failDamaged(line, true);
      await job.drained();
      return count;
    },
    unreadable: anomalies.unreadable,
    unknown: anomalies.unknown,
  };
}

const isUnreadable = (result: RemoteResult | UnreadableResult): result is UnreadableResult => "unreadable" in result;

function record({ line, customId }: Line, outcome: RemoteOutcome, { job }: PartRun): void {
  switch (outcome.state) {
    case "answered":
      job.answer(line, customId, outcome.requestId, outcome.completion);
      break;
    case "failed":
      job.fail(line, customId, outcome.requestId, outcome.statusCode, outcome.error, outcome.partial);
      break;
    case "never_ran":
      job.skip(line, customId, { code: `batch_${outcome.reason}`, message: outcome.message });
      break;
  }
}

/** Another read of the same files finds the same again: the larger number counts. */
function mergeAnomalies(all: ResultAnomalies, found: ResultAnomalies): void {
  for (const kind of ["repeated", "different", "unknown"] as const) {
    for (const [id, count] of found[kind]) all[kind].set(id, Math.max(all[kind].get(id) ?? 0, count));
  }
  for (const kind of ["too_long", "no_result"] as const) {
    all.unreadable[kind] = Math.max(all.unreadable[kind], found.unreadable[kind]);
  }
}
