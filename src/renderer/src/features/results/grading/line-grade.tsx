import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Grade } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, GradeBadge } from "../../../components/index.ts";
import { useGrading } from "../../../queries/run-queries.ts";
import { nameGrader } from "./describe-grading.ts";
import classes from "./line-grade.module.css";

export interface LineGradeProps {
  readonly batchId: string;
  readonly line: number;
  readonly grade: Grade;
}

/** The grade of a line: what was expected, what was given, and why it passed or failed. */
export function LineGrade({ batchId, line, grade }: LineGradeProps) {
  const { run } = useGrading(batchId);
  const { data, error, refetch } = useQuery(
    useApi().grades.line.queryOptions({
      input: { batchId, line },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  );
  if (error) {
    return <ErrorCard title="The grade could not be read" {...describeError(error)} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <div className={classes.grade}>
        <GradeBadge grade={grade} />
        {run === null ? null : <span className={classes.grader}>{nameGrader(run.grader)}</span>}
      </div>
      {data === undefined ? (
        <div role="status" aria-label="The grade is being read">
          <Skeleton height={12} mt={4} />
          <Skeleton height={12} width="70%" mt={8} />
        </div>
      ) : data === null ? null : (
        <>
          <p className={classes.why}>{data.why}</p>
          <dl className={classes.texts}>
            <Text name="Expected" text={data.expected} />
            <Text name="Given" text={data.given} />
          </dl>
        </>
      )}
    </>
  );
}

function Text({ name, text }: { readonly name: string; readonly text: string | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto" data-none={text === null || text === "" || undefined}>
        {text === null ? "None" : text === "" ? "Empty" : text}
      </dd>
    </>
  );
}
