import type { ResultDetail } from "#contract";
import { GradeBadge, VerdictBadge } from "../../../components/index.ts";
import classes from "./line-verdict.module.css";
import { useLineGrade } from "./use-line-grade.ts";

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
