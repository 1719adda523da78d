import { finalStatuses, formatCount, type RetryChoice } from "#contract";
import { ServiceError } from "#main/base";
import {
  type Attempt,
  type DamageRecords,
  type LineIndex,
  listRetryable,
  listRootLines,
  type MergedBatches,
  type MergedLines,
  rootOf,
} from "#main/results";
import type { BatchRecord, StoredFolder } from "#main/storage";

/** A line of a batch that is asked again. */
export interface ChosenLine {
  readonly line: number;
  readonly kind: RetryChoice;
  /** Where its best outcome is so far; null for a named line. */
  readonly place: Attempt | null;
}

export interface ChosenLines {
  /** Ascending. */
  readonly lines: readonly ChosenLine[];
  /** The batch with all its retries; null where only named lines were chosen. */
  readonly retryGroup: MergedLines | null;
}

interface ChooseDeps {
  readonly store: StoredFolder;
  readonly damage: Pick<DamageRecords, "compareAll">;
  readonly merged: MergedBatches;
}

/**
 * The lines of a batch that no retry has answered better meanwhile, or is about to. Fails with a ServiceError where there are none, and
 * where some may be paid and their user has not confirmed that.
 */
export async function chooseLines(
  { store, damage, merged }: ChooseDeps,
  {
    which,
    lines: named = [],
    evenIfPaid = false,
  }: {
    readonly which: readonly RetryChoice[];
    readonly lines?: readonly number[] | undefined;
    readonly evenIfPaid?: boolean | undefined;
  },
  batch: BatchRecord,
  index: Pick<LineIndex, "mayBePaid">,
): Promise<ChosenLines> {
  const chosen = new Map<number, ChosenLine>();
  /** Of those that are chosen. */
  const paid = new Set<number>();
  let underWay = 0;
  if (which.includes("lines")) {
    const group = await merged.get(rootOf(batch, store));
    const rootLines = listRootLines(group, batch.id);
    for (const line of named) {
      if (line < 1 || line > batch.counts.total) continue;
      const rootLine = rootLines.get(line);
      if (rootLine !== undefined && group.isUnderWay(rootLine)) {
        underWay += 1;
        continue;
      }
      chosen.set(line, { line, kind: "lines", place: null });
      if (index.mayBePaid(line) || (rootLine !== undefined && group.mayBePaid(rootLine))) paid.add(line);
    }
  }
  const kinds = which.filter((choice) => choice !== "lines");
  let retryGroup: MergedLines | null = null;
  if (kinds.length > 0) {
    retryGroup = await merged.get(rootOf(batch, store));
    if (kinds.includes("failed")) {
      const hasEnded = ({ status, counts }: BatchRecord) => finalStatuses.has(status) && counts.total > 0;
      for (const one of retryGroup.batches.filter(hasEnded)) await damage.compareAll(one, true);
    }
    for (const kind of kinds) {
      for (const { line, place, isUnderWay, mayBePaid } of listRetryable(retryGroup, batch.id, kind)) {
        if (isUnderWay) {
          underWay += 1;
          continue;
        }
        chosen.set(line, { line, kind, place });
        if (mayBePaid) paid.add(line);
      }
    }
  }
  if (paid.size > 0 && !evenIfPaid) throw refusePaid(paid.size);
  if (chosen.size > 0) return { lines: [...chosen.values()].sort((a, b) => a.line - b.line), retryGroup };
  throw refuseRetry(underWay > 0 ? describeUnderWay(underWay, which) : describeNothing(batch, which));
}

export function refuseRetry(message: string): ServiceError {
  return new ServiceError("nothing_to_retry", message);
}

function refusePaid(count: number): ServiceError {
  return new ServiceError(
    "may_be_paid",
    `${formatCount(count, "line")} may be paid already: the service has answered, and the results did not arrive. Fetch them again, or confirm that you may pay twice.`,
  );
}

const clauses: Readonly<Record<RetryChoice, string>> = {
  failed: "that failed and may succeed now",
  refused: "that would fail again",
  never_ran: "that never ran",
  cut: "whose answers were cut",
  empty: "whose answers are empty",
  may_be_paid: "that may be paid",
  lines: "that were chosen",
};

function describeUnderWay(count: number, [first, ...others]: readonly RetryChoice[]): string {
  const clause = first === undefined || others.length > 0 ? "that could be asked again" : clauses[first];
  const lines = count === 1 ? `The line ${clause} is` : `All ${formatCount(count, "line")} ${clause} are`;
  return `${lines} being asked again already. Wait for the end of that batch.`;
}

function describeNothing({ status }: BatchRecord, [first, ...others]: readonly RetryChoice[]): string {
  if (others.length > 0) return "No line of this batch is left to be asked again.";
  if (first === "lines") return "No line was chosen to be asked again.";
  if (first !== "never_ran") return `No line of this batch is left ${clauses[first ?? "failed"]}.`;
  return finalStatuses.has(status)
    ? "Every line of this batch has been asked."
    : "This batch still runs: what never ran is known at its end.";
}
