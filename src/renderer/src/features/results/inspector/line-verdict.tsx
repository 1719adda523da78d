import { useQuery } from "@tanstack/react-query";
import type { ResultDetail } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { GradeBadge, VerdictBadge } from "../../../components/index.ts";
import classes from "./line-verdict.module.css";

/** The grade of a line with its evidence; undefined until that is read, and where it has none. */
function useLineGrade({ asked, grade }: Pick<ResultDetail, "asked" | "grade">) {
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

/** Whether a line passed, what was expected of it, and its verdict: in view whatever is shown of the line. */
export function LineVerdict({ detail }: { readonly detail: ResultDetail }) {
  const graded = useLineGrade(detail);
  const { grade, verdict } = detail;
  if (grade === null && verdict === null) return null;
  return (
    <div className={classes.root}>
      {grade === null ? null : <GradeBadge grade={grade} />}
      {grade !== "fail" || graded === undefined || graded.expected === null ? null : (
        <span className={classes.expected} title={graded.expected}>
          expected <bdi>{graded.expected}</bdi>
        </span>
      )}
      {verdict === null ? null : <VerdictBadge verdict={verdict} />}
    </div>
  );
}
