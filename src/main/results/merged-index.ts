import type { Grade, Verdict } from "#contract";
import type { IndexedLines, MarkIndex } from "./index-columns.ts";
import { createLineIndex } from "./line-index.ts";
import type { MergedLines } from "./merged.ts";

/** The lines of a root as if what its retries have answered were its own: to choose and to count them, not to read. */
export interface MergedIndex extends IndexedLines {
  /** Which line of the root one of a batch is, 0 where another batch has its best outcome. The root is batch 0. */
  lineOf(batch: number, own: number): number;
}

/** Makes the index of merged lines; `lines` are those of its batches, in their order. */
export function mergeIndexes(
  { indexes, total, place }: MergedLines,
  lines: readonly (IndexedLines | null)[],
): MergedIndex {
  const index = createLineIndex(new Float64Array(total + 1));
  const linesOf = indexes.map((one) => new Uint32Array(one?.total ?? 0));
  const batchOf = new Uint16Array(total);
  const ownOf = new Uint32Array(total);
  for (let line = 1; line <= total; line++) {
    const { batch, line: own } = place(line);
    const from = indexes[batch] ?? null;
    const at = own - 1;
    batchOf[line - 1] = batch;
    ownOf[line - 1] = own;
    const ofBatch = linesOf[batch];
    if (ofBatch !== undefined) ofBatch[at] = line;
    const answer = from?.answer(own) ?? null;
    if (from === null || answer === null) continue;
    index.record(line, answer, from.columns.facts(at));
  }

  const mergeMarks = <Mark extends string>(all: readonly (MarkIndex<Mark> | null)[]): MarkIndex<Mark> | null => {
    if (all.every((one) => one === null)) return null;
    return {
      done: all.reduce((sum, one) => sum + (one?.done ?? 0), 0),
      mark: (line) => all[batchOf[line - 1] ?? 0]?.mark(ownOf[line - 1] ?? 0) ?? null,
      keyOf: (line) => all[batchOf[line - 1] ?? 0]?.keyOf(ownOf[line - 1] ?? 0) ?? null,
      countOf: (line, key) => all[batchOf[line - 1] ?? 0]?.countOf(ownOf[line - 1] ?? 0, key) ?? 0,
      hasKind: (line, kinds) => all[batchOf[line - 1] ?? 0]?.hasKind(ownOf[line - 1] ?? 0, kinds) ?? false,
    };
  };
  const costs = lines.map((one) => one?.costs ?? null);
  return {
    index,
    marks: {
      verdicts: mergeMarks<Verdict>(lines.map((one) => one?.marks.verdicts ?? null)),
      grades: mergeMarks<Grade>(lines.map((one) => one?.marks.grades ?? null)),
    },
    costs: costs.every((one) => one === null)
      ? null
      : (at) => costs[batchOf[at] ?? 0]?.((ownOf[at] ?? 0) - 1) ?? Number.NaN,
    lineOf: (batch, own) => linesOf[batch]?.[own - 1] ?? 0,
  };
}
