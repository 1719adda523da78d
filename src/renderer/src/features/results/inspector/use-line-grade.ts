import { useQuery } from "@tanstack/react-query";
import type { ResultDetail } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useGrading } from "../../../queries/run-queries.ts";
import { gradedField } from "../grading/graded-field.ts";
import type { ExpectedField } from "./answer-fields.tsx";

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
  const graded = useLineGrade(detail);
  const key = gradedField(run);
  if (key === null || graded === undefined || graded.expected === null) return null;
  return { key, value: graded.expected, isRight: graded.grade === "pass" };
}
