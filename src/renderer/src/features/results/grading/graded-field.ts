import type { GradeRun } from "#contract";

/**
 * The field of an answer in JSON that a run compares, by its key: of the path `$.label`, `label`, or `$['a label']`. Null for a
 * grader that compares no field, and for something within one.
 */
export function gradedField(run: Pick<GradeRun, "grader"> | null): string | null {
  if (run?.grader.name !== "json") return null;
  const found = /^(?:\$\.?)?(?:([^.[\]$'"]+)|\['([^']+)'\]|\["([^"]+)"\])$/.exec(run.grader.path.trim());
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}
