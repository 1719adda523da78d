import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CheckProgress, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import type { PromptVersion } from "../draft/draft-content.ts";
import { useBuildInputs } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";

/** How long the prompt has to be unchanged before the whole file is checked, in milliseconds. */
const checkDelay = 300;

/** The check of the whole file, which follows what is typed. */
export interface Check {
  /** As far as the latest check has come; of the one before while the next has not begun. Null without a source. */
  readonly latest: CheckProgress | null;
  readonly isChecking: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

export const noCheck: Check = { latest: null, isChecking: false, error: null, retry: () => {} };

export interface VersionCheck extends Check, Pick<PromptVersion, "key" | "name"> {}

/** Whether rows can be asked: not while the prompt itself has errors. */
export function canTry({ latest }: Check): boolean {
  return latest !== null && (!latest.finished || latest.requests > 0);
}

/** A check for each version of the prompt. */
export function useChecks(source: Source | null): readonly VersionCheck[] {
  const queries = createBuildQueries(useApi());
  const current = useBuildInputs(source);
  const [settled] = useDebouncedValue(current, checkDelay);
  const checked = settled.filter(({ input }) => input.sourceId === source?.id);
  const [last] = useState(() => new Map<string, CheckProgress>());
  const results = useQueries({
    queries: checked.map(({ key, input }) => ({
      ...queries.check(input, key),
      placeholderData: () => last.get(`${input.sourceId} ${key}`),
    })),
  });
  useEffect(() => {
    for (const [at, { key, input }] of checked.entries()) {
      const { data, isPlaceholderData = false } = results[at] ?? {};
      if (data !== undefined && !isPlaceholderData) last.set(`${input.sourceId} ${key}`, data);
    }
  });
  return current.map(({ key, name }) => {
    const result = results[checked.findIndex((version) => version.key === key)];
    return {
      key,
      name,
      latest: result?.data ?? null,
      isChecking: settled !== current || result?.isFetching !== false,
      error: result === undefined || result.isFetching ? null : result.error,
      retry: () => void result?.refetch(),
    };
  });
}
