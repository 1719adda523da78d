import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import type { BuildInput, ReuseCount } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { formatNumber } from "../../../components/index.ts";
import { batchListOptions } from "../../../queries/batch-queries.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { answersByRow } from "../preview/trial-store.ts";
import { createBuildQueries } from "../queries.ts";
import type { Job } from "./jobs.ts";
import { nameAnswered } from "./name-answered.ts";

const none: readonly ReuseCount[] = [];

/** Requests of each batch that a connection need not be asked, looked for once the whole file has been checked. */
export function useReusableRequests(jobs: readonly Job[]): readonly ReuseCount[] {
  const { isRunning, trials } = useStore(useSession().trial.state);
  const isReady =
    jobs.length > 0 &&
    jobs.every(
      ({ input, check, isChecking }) =>
        input.template.connectionId !== null && !isChecking && check?.finished === true && !check.blocked,
    );
  const wanted = isReady ? jobs.map(({ input }) => withBoth(input)) : null;
  const tried = [...trials.values()].reduce((sum, { rows }) => sum + answersByRow(rows).size, 0);
  const { data: batches } = useQuery(batchListOptions(useApi()));
  const answered = useMemo(() => nameAnswered(batches ?? []), [batches]);
  const query = useQuery({
    ...createBuildQueries(useApi()).reusable(wanted, `${tried} ${answered}`),
    enabled: wanted !== null && !isRunning,
  });
  return query.data ?? none;
}

/** Whether they are used changes nothing of how many there are. */
function withBoth(input: BuildInput): BuildInput {
  return input.rows === undefined ? input : { ...input, rows: { ...input.rows, reuse: true, onceIdentical: true } };
}

/** Whether answers that are there already are used; nothing where there are none. */
export function ReusableRequests({ reusable, requests }: { readonly reusable: number; readonly requests: number }) {
  const { store } = useSession();
  const rows = useContent((content) => content.rows);
  if (reusable === 0) return null;
  return (
    <Checkbox
      size="xs"
      label={`${formatNumber(reusable)} of ${formatNumber(requests)} are answered already: use them`}
      checked={rows.reuse}
      onChange={({ currentTarget }) => store.edit({ rows: { ...rows, reuse: currentTarget.checked } })}
    />
  );
}
