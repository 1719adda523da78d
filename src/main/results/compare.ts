import type { ComparisonFilter, Grade } from "#contract";

/** Collects the lines of batches by custom_id: first those of the first batch, then of each other one in its turn. */
export function createJoin(batches: number) {
  const places = new Map<string, number>();
  /** By place, the line of each batch; 0 where it has none. */
  const found: number[][] = Array.from({ length: batches }, () => []);
  return {
    add(batch: number, customId: string, line: number): void {
      if (batch === 0 && !places.has(customId)) places.set(customId, places.size);
      const place = places.get(customId);
      const lines = found[batch];
      if (place !== undefined && lines !== undefined) lines[place] ??= line;
    },
    /** Of each batch the lines that all of them have, one beside the other, in the order of the first batch. */
    lines(): readonly Uint32Array[] {
      const common = Array.from({ length: places.size }, (_, place) => place).filter((place) =>
        found.every((lines) => (lines[place] ?? 0) > 0),
      );
      return found.map((lines) => Uint32Array.from(common, (place) => lines[place] ?? 0));
    },
  };
}

/** The result of one line in one batch; `digest` stands for what is compared of its answer, 0 for no answer. */
export interface ComparedOutcome {
  readonly digest: number;
  readonly grade: Grade | null;
  /** By what the batch is graded: grades of different graders say nothing about each other. Null for an ungraded one. */
  readonly gradedBy: string | null;
}

/** How the outcomes of one line compare. */
export interface LineComparison {
  /** Some batches have answered it differently. */
  readonly changed: boolean;
  /** Some batch has no answer. */
  readonly unanswered: boolean;
  /** One batch passes and another fails that is graded alike. */
  readonly gradesDiffer: boolean;
}

export function compareOutcomes(outcomes: readonly ComparedOutcome[]): LineComparison {
  const digests = new Set(outcomes.map(({ digest }) => digest));
  const unanswered = digests.delete(0);
  const gradesDiffer = outcomes.some((one) => outcomes.some((other) => wins(one, other)));
  return { changed: digests.size > 1, unanswered, gradesDiffer };
}

/** Whether one batch wins a line over another: it passes, the other fails, and both are graded alike. */
function wins(one: ComparedOutcome | undefined, other: ComparedOutcome | undefined): boolean {
  return one?.grade === "pass" && other?.grade === "fail" && one.gradedBy === other.gradedBy;
}

/** Whether a filter leaves a line. */
export function fitsComparison(
  { changed, unanswered, gradesDiffer }: LineComparison,
  outcomes: readonly ComparedOutcome[],
  { show, win }: ComparisonFilter,
): boolean {
  if (win !== undefined && !wins(outcomes[win.winner], outcomes[win.loser])) return false;
  switch (show) {
    case "all":
      return true;
    case "changed":
      return changed;
    case "unanswered":
      return unanswered;
    case "grades":
      return gradesDiffer;
  }
}

/** Characters of a text in a row, and before its first difference. */
const [longestExcerpt, lead] = [300, 20];

/** Texts cut for a row so that the place where they first differ is in view. */
export function cutAroundDifference(texts: readonly string[]): string[] {
  const [first = "", ...others] = texts;
  const shortest = Math.min(first.length, ...others.map(({ length }) => length));
  let same = 0;
  while (same < shortest && others.every((text) => text[same] === first[same])) same += 1;
  const isAlike = same === shortest && texts.every(({ length }) => length === shortest);
  // The cut is at the beginning of a word, if one is near.
  const space = first.lastIndexOf(" ", same - lead);
  const start = isAlike || same <= 2 * lead ? 0 : space > same - 3 * lead ? space + 1 : same - lead;
  return texts.map((text) => {
    const part = text.slice(start, start + longestExcerpt).toWellFormed();
    return `${start === 0 ? "" : "…"}${part}${start + longestExcerpt < text.length ? "…" : ""}`;
  });
}
