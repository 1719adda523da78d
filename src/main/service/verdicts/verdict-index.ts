import { type FindingKind, findingKindSchema, type LineVerdict, lineVerdictSchema } from "#contract";
import type { KindCounts } from "./judgement.ts";

const none = 0;
const verdicts = [null, ...lineVerdictSchema.options];

/** Where the result of a line is in the file of its batch, in bytes. */
export interface ResultPlace {
  readonly start: number;
  readonly length: number;
}

export interface VerdictEntry extends ResultPlace {
  readonly line: number;
  readonly verdict: LineVerdict;
  readonly kinds: KindCounts;
}

/** The verdicts of a batch by line (from 1): what memory holds of them, 13 bytes a line. */
export interface VerdictIndex {
  /** Null for a line that has none. */
  verdict(line: number): LineVerdict | null;
  place(line: number): ResultPlace | null;
  /** How many lines have a verdict. */
  readonly done: number;
  counts(): Readonly<Record<LineVerdict, number>>;
  /** How many findings of each kind are contradicted or not found, the most frequent first. */
  kinds(): { kind: FindingKind; count: number }[];
  /** The lines with this verdict, ascending. */
  linesWith(verdict: LineVerdict): number[];
  /** False for a line that has a verdict already, or that the batch does not have. */
  record(entry: VerdictEntry): boolean;
}

export function createVerdictIndex(lines: number): VerdictIndex {
  const states = new Uint8Array(lines);
  const starts = new Float64Array(lines);
  const lengths = new Uint32Array(lines);
  const counts = { contradicted: 0, not_found: 0, supported: 0, not_checkable: 0 };
  const kinds = new Map<FindingKind, number>();
  let done = 0;

  const verdict = (line: number) => verdicts[states[line - 1] ?? none] ?? null;
  return {
    verdict,
    place(line) {
      const at = line - 1;
      return verdict(line) === null ? null : { start: starts[at] ?? 0, length: lengths[at] ?? 0 };
    },
    get done() {
      return done;
    },
    counts: () => ({ ...counts }),
    kinds: () => Array.from(kinds, ([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count),
    linesWith(wanted) {
      const code = verdicts.indexOf(wanted);
      const found: number[] = [];
      for (let at = states.indexOf(code); at !== -1; at = states.indexOf(code, at + 1)) found.push(at + 1);
      return found;
    },
    record(entry) {
      const at = entry.line - 1;
      if (states[at] !== none) return false;
      states[at] = verdicts.indexOf(entry.verdict);
      starts[at] = entry.start;
      lengths[at] = entry.length;
      counts[entry.verdict] += 1;
      done += 1;
      for (const kind of findingKindSchema.options) {
        const count = entry.kinds[kind];
        if (count !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      }
      return true;
    },
  };
}
