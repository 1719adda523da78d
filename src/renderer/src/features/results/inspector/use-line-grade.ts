import { useQuery } from "@tanstack/react-query";
import type { ResultDetail } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useGrading } from "../../../queries/run-queries.ts";
import { type ExpectedField, findExpected } from "../grading/graded-field.ts";

/** The grade of a line with its evidence; undefined until that is read, and where it has none. */
export function useLineGrade({ asked, grade }: Pick<ResultDetail, "asked" | "grade">) {
  const { data } = useQuery(
    useApi().grades.line.queryOptions({
      input: asked,
      enabled: grade !== null,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  );
  return grade === null ? undefined : (data ?? undefined);
}

/** The field that a line is graded by, where its grader compares one; null while that is read, and for other graders. */
export function useExpectedField(detail: ResultDetail): ExpectedField | null {
  const { run } = useGrading(detail.asked.batchId);
  return findExpected(run, useLineGrade(detail));
}
