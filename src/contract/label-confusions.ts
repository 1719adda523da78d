import type { LabelTable } from "./rpc/grades.ts";

/** An expected label that answers did not give, and what they gave instead; null for another text, or nothing. */
export interface LabelConfusion {
  readonly expected: string;
  readonly given: string | null;
  readonly count: number;
}

/** Which label was taken for which, the most frequent first. */
export function listConfusions({ labels, counts }: LabelTable): LabelConfusion[] {
  return counts
    .flatMap((row, expected) =>
      row.map((count, given) => ({
        expected: labels[expected]?.label ?? "",
        given: labels[given]?.label ?? null,
        count: expected === given ? 0 : count,
      })),
    )
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}
