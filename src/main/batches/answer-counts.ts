import { type AnswerEnd, finalStatuses } from "#contract";
import type { LineIndex } from "#main/results";
import { countEntered, type Store } from "#main/storage";
import { type AnswerCounts, withAnswers } from "./state.ts";

/** Counts while they change. */
interface OpenCounts extends AnswerCounts {
  completed: number;
  failed: number;
  reused: number;
  awaited: number;
  readonly ends: Partial<Record<AnswerEnd, number>>;
}

export function countAnswers(index: LineIndex): OpenCounts {
  const counts: OpenCounts = { completed: 0, failed: 0, reused: 0, awaited: 0, ends: {} };
  for (let line = 1; line <= index.total; line++) countLine(counts, index, line, 1);
  return counts;
}

/** Adds the outcome of a line to the counts, or takes it out of them. */
export function countLine(counts: OpenCounts, index: LineIndex, line: number, change: 1 | -1): void {
  const answer = index.answer(line);
  if (answer === null) return;
  if (answer.reused) counts.reused += change;
  if (answer.file === "output") {
    counts.completed += change;
    const { end } = index.columns.facts(line - 1);
    if (end !== null) counts.ends[end] = (counts.ends[end] ?? 0) + change;
  } else if (!answer.skipped) counts.failed += change;
  if (index.isAwaited(line)) counts.awaited += change;
}

/**
 * What was shown last of the batches that go on: how many of their lines are answered. Until their indexes have been read, which
 * compares each answer that may be lost, it would be what their records had when they were last written.
 */
export async function restoreCounts({ batches, ledgerOf }: Pick<Store, "batches" | "ledgerOf">): Promise<void> {
  for (const batch of batches.list()) {
    const { id, status, counts } = batch;
    if (finalStatuses.has(status) || counts.total === 0) continue;
    const entered = await countEntered(ledgerOf(id), counts.total);
    if (entered === null) continue;
    batches.setWithoutJournal(withAnswers(batch, entered));
  }
}
