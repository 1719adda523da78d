import type { Grade, Verdict } from "#contract";
import { unknownTokens } from "./fact-columns.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";
import type { MergedLines } from "./merged.ts";
import type { MarkIndex, SelectionParts } from "./select-lines.ts";

type Marks = SelectionParts["marks"];

/** The lines of a root as if what its retries have answered were its own: to count them, not to read. */
export interface MergedIndex {
  readonly index: LineIndex;
  readonly marks: Marks;
}

/** Makes the index of merged lines; `marksOf` are those of its batches, in their order. */
export function mergeIndexes({ indexes, total, place }: MergedLines, marksOf: readonly Marks[]): MergedIndex {
  const index = createLineIndex(new Float64Array(total + 1));
  for (let line = 1; line <= total; line++) {
    const { batch, line: own } = place(line);
    const from = indexes[batch] ?? null;
    const answer = from?.answer(own) ?? null;
    if (from === null || answer === null) continue;
    const at = own - 1;
    const { models, finishReasons, errorCodes, promptTokens, completionTokens } = from.columns;
    index.record(line, answer, {
      model: models.names[models.codes[at] ?? 0] || null,
      finishReason: finishReasons.names[finishReasons.codes[at] ?? 0] || null,
      errorCode: errorCodes.names[errorCodes.codes[at] ?? 0] || null,
      promptTokens: toNumber(promptTokens[at]),
      completionTokens: toNumber(completionTokens[at]),
    });
  }
  const merge = <Mark extends string>(all: readonly (MarkIndex<Mark> | null)[]): MarkIndex<Mark> | null => {
    if (all.every((one) => one === null)) return null;
    return {
      done: all.reduce((sum, one) => sum + (one?.done ?? 0), 0),
      mark(line) {
        const { batch, line: own } = place(line);
        return all[batch]?.mark(own) ?? null;
      },
      hasKind(line, kinds) {
        const { batch, line: own } = place(line);
        return all[batch]?.hasKind(own, kinds) ?? false;
      },
    };
  };
  const marks = {
    verdicts: merge<Verdict>(marksOf.map(({ verdicts }) => verdicts)),
    grades: merge<Grade>(marksOf.map(({ grades }) => grades)),
  };
  return { index, marks };
}

function toNumber(tokens: number | undefined): number | null {
  return tokens === undefined || tokens === unknownTokens ? null : tokens;
}
