import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { LineVerdict } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ClaimList, ErrorCard, VerdictBadge } from "../../../components/index.ts";
import classes from "./line-verification.module.css";

export interface LineVerificationProps {
  readonly batchId: string;
  readonly line: number;
  readonly verdict: LineVerdict;
}

/** What the verification of a line came to, claim by claim. */
export function LineVerification({ batchId, line, verdict }: LineVerificationProps) {
  const { data, error, refetch } = useQuery(
    useApi().verifications.line.queryOptions({
      input: { batchId, line },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  );
  if (error) {
    return <ErrorCard title="The claims could not be read" {...describeError(error)} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <div role="status" aria-label="The claims are being read">
        <Skeleton height={12} mt={4} />
        <Skeleton height={12} width="70%" mt={8} />
      </div>
    );
  }
  return (
    <>
      <div className={classes.verdict}>
        <VerdictBadge verdict={verdict} />
      </div>
      {data === null ? null : (
        <>
          <p className={classes.explanation}>{data.explanation}</p>
          <ClaimList claims={data.claims} response={data.response} />
        </>
      )}
    </>
  );
}
