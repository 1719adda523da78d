import type { GradeRun, LineGrade } from "#contract";

type Graded = Pick<GradeRun, "grader"> | null;

/**
 * The field of an answer in JSON that a run compares, by its key: of the path `$.label`, `label`, or `$['a label']`. Null for a
 * grader that compares no field, and for something within one.
 */
export function gradedField(run: Graded): string | null {
  if (run?.grader.name !== "json") return null;
  const found = /^(?:\$\.?)?(?:([^.[\]$'"]+)|\['([^']+)'\]|\["([^"]+)"\])$/.exec(run.grader.path.trim());
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}

/** What a field was expected to be. */
export interface ExpectedField {
  readonly key: string;
  readonly value: string;
  readonly isRight: boolean;
}

/** What the field of a line is compared with; null where the run compares none, and where nothing is expected of the line. */
export function findExpected(
  run: Graded,
  line: Pick<LineGrade, "expected" | "grade"> | undefined,
): ExpectedField | null {
  const key = gradedField(run);
  if (key === null || line === undefined || line.expected === null) return null;
  // A row without an expected answer has a blank one: no value differs from that.
  if (line.grade !== "pass" && line.grade !== "fail") return null;
  return { key, value: line.expected, isRight: line.grade === "pass" };
}
