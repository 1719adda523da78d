import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CheckProgress, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useBuildInput } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";

/** How long the prompt has to stand still before the whole file is checked, in milliseconds. */
const checkDelay = 300;

/** The check of the whole file, which follows what is typed. */
export interface Check {
  /** As far as the latest check has come; of the one before while the next has not begun. Null without a source. */
  readonly latest: CheckProgress | null;
  readonly isChecking: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useCheck(source: Source | null): Check {
  const queries = createBuildQueries(useApi());
  const current = useBuildInput(source);
  const [settled] = useDebouncedValue(current, checkDelay);
  const input = settled?.sourceId === current?.sourceId ? settled : null;
  const query = useQuery({
    ...queries.check(input),
    meta: { sourceId: input?.sourceId },
    placeholderData: (previous, query) =>
      query?.meta?.sourceId === input?.sourceId ? keepPreviousData(previous) : undefined,
  });
  return {
    latest: input === null ? null : (query.data ?? null),
    isChecking: source !== null && (input !== current || query.isFetching),
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}
