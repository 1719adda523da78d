import type { LineVerdict } from "#contract";
import type { Contradictions } from "./judgement.ts";

const none = 0;
const verdicts = [null, "supported", "hallucination", "not_checkable"] as const;
const codes: Readonly<Record<LineVerdict, number>> = { supported: 1, hallucination: 2, not_checkable: 3 };

/** Where the result of a line is in the file of its batch, in bytes. */
export interface ResultPlace {
  readonly start: number;
  readonly length: number;
}

export interface VerdictEntry extends ResultPlace {
  readonly line: number;
  readonly verdict: LineVerdict;
  readonly contradictions: Contradictions;
}

/** The verdicts of a batch by line (from 1): what memory holds of them, 13 bytes a line. */
export interface VerdictIndex {
  /** Null for a line that has none. */
  verdict(line: number): LineVerdict | null;
  place(line: number): ResultPlace | null;
  /** How many lines have a verdict. */
  readonly done: number;
  counts(): Readonly<Record<LineVerdict, number>>;
  /** Claims that each check contradicted, the most frequent first. */
  contradictedBy(): { check: string; count: number }[];
  /** The lines with this verdict, ascending. */
  linesWith(verdict: LineVerdict): number[];
  /** False for a line that has a verdict already, or that the batch does not have. */
  record(entry: VerdictEntry): boolean;
}

export function createVerdictIndex(lines: number): VerdictIndex {
  const states = new Uint8Array(lines);
  const starts = new Float64Array(lines);
  const lengths = new Uint32Array(lines);
  const counts = { supported: 0, hallucination: 0, not_checkable: 0 };
  const contradictedBy = new Map<string, number>();
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
    contradictedBy: () =>
      Array.from(contradictedBy, ([check, count]) => ({ check, count })).sort((a, b) => b.count - a.count),
    linesWith(wanted) {
      const code = codes[wanted];
      const found: number[] = [];
      for (let at = states.indexOf(code); at !== -1; at = states.indexOf(code, at + 1)) found.push(at + 1);
      return found;
    },
    record(entry) {
      const at = entry.line - 1;
      if (states[at] !== none) return false;
      states[at] = codes[entry.verdict];
      starts[at] = entry.start;
      lengths[at] = entry.length;
      counts[entry.verdict] += 1;
      done += 1;
      for (const [check, count] of Object.entries(entry.contradictions)) {
        contradictedBy.set(check, (contradictedBy.get(check) ?? 0) + count);
      }
      return true;
    },
  };
}
