import type { Grader, LineGrade } from "#contract";
import { createGrader, type GradeByRules } from "./grader.ts";
import { labelKeyOf } from "./labels.ts";
import type { LabelPair } from "./pair-keys.ts";
import { type GradeInput, GraderError } from "./types.ts";

/** Most different expected values that a table of labels is made of. */
const mostTabled = 20;
/** Most labels that an answer may name for the grader `label`. */
const mostNamed = 100;

/**
 * The different expected values, in their order; blank cells are none. Null where they are too many for a table of labels.
 * @throws GraderError when they are too many for the grader `label`
 */
export async function collectLabels(
  cells: AsyncIterable<readonly string[]>,
  { name }: Pick<Grader, "name">,
): Promise<string[] | null> {
  const most = name === "label" ? mostNamed : mostTabled;
  const keyOf = chooseKey(name);
  const labels = new Map<string, string>();
  for await (const some of cells) {
    for (const cell of some) {
      const key = keyOf(cell);
      if (key !== "" && !labels.has(key)) labels.set(key, cell.trim());
    }
    if (labels.size <= most) continue;
    if (name !== "label") return null;
    throw new GraderError(`The column has more than ${most} different values: it is no column of labels.`);
  }
  return labels.size === 0 ? null : [...labels.values()];
}

/** Two values that differ only by case are one label for graders that don't look at case. */
function chooseKey(name: Grader["name"]): (cell: string) => string {
  return name === "label" || name === "text" || name === "model" ? labelKeyOf : (cell) => cell.trim();
}

/** Null for a line without an answer, and for one of which none of the labels is expected. */
export type PairLabels = (input: GradeInput, grade: LineGrade) => LabelPair | null;

/**
 * Finds the labels of graded lines. An answer that failed has the label, other than the expected one, that it would have
 * passed for; several such labels, or none, are null.
 */
export function createLabelPairing(grader: Grader, labels: readonly string[]): PairLabels {
  const keyOf = chooseKey(grader.name);
  const known = new Map(labels.map((label) => [keyOf(label), label]));
  const { grade: gradeByRules }: GradeByRules = createGrader(
    grader.name === "model" ? { name: "text" } : grader,
    labels,
  );

  function findGiven({ answer, schema }: GradeInput, failedFor: string): string | null {
    const passing = labels.filter(
      (label) => label !== failedFor && gradeByRules({ answer, expected: label, schema }).grade === "pass",
    );
    return passing.length === 1 ? (passing[0] ?? null) : null;
  }

  return (input, { grade, given }) => {
    const expected = input.expected === null ? undefined : known.get(keyOf(input.expected));
    if (grade === "no_answer" || expected === undefined) return null;
    if (grade === "pass") return [expected, expected];
    return [expected, grader.name === "label" ? given : findGiven(input, expected)];
  };
}
