import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { BuildInput, CheckProgress, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { toRequestTemplate } from "../draft/draft-content.ts";
import { useContent } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";

/** How long the prompt has to stand still before the whole file is checked, in milliseconds. */
const checkDelay = 300;

/** What is on screen, as the procedures of `build` take it; null as long as there is no source. */
export function useBuildInput(source: Source | null): BuildInput | null {
  const content = useContent(
    useShallow(({ messages, model, temperature, maxCompletionTokens, customId }) => ({
      messages,
      model,
      temperature,
      maxCompletionTokens,
      customId,
    })),
  );
  return useMemo(
    () => (source === null ? null : { sourceId: source.id, template: toRequestTemplate(content) }),
    [source, content],
  );
}

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
