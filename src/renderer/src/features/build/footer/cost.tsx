import { Tooltip } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { CheckProgress, KnownCount, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { usualAnswer } from "../preview/trial-store.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./build-footer.module.css";
import { describeCost } from "./describe-cost.ts";
import { useSaved } from "./known-requests.tsx";

interface CostProps {
  readonly source: Source;
  readonly check: CheckProgress;
  readonly known: KnownCount;
}

/** What the batch may cost, as far as it can be known before it is sent. */
export function Cost({ source, check, known }: CostProps) {
  const connectionId = useContent((content) => content.connectionId);
  const own = useContent((content) => content.model);
  const mostTokens = useContent((content) => content.maxCompletionTokens);
  // A file of requests names its model and its limits itself.
  const model = source.holds === "rows" ? own : theOnly(check.models);
  const longestAnswer = source.holds === "rows" ? mostTokens : null;
  const usual = useStore(useSession().trial.state, ({ rows }) => usualAnswer(rows));
  const lines = Math.max(0, check.requests - useSaved(known));
  // What need not be asked has prompts of the usual length, as far as can be told.
  const promptTokens = Math.round((check.promptTokens * lines) / Math.max(1, check.requests));
  const job =
    connectionId === null || model === null || !check.finished
      ? null
      : { lines, promptTokens, usualAnswer: usual, longestAnswer };
  const cost = useQuery({
    ...createBuildQueries(useApi()).cost(
      job === null || connectionId === null || model === null ? null : { ...job, connectionId, model },
    ),
    placeholderData: keepPreviousData,
  });
  if (connectionId === null) return <span className={classes.faint}>no cost here</span>;
  if (job === null || cost.data === undefined) return null;
  const { short, basis } = describeCost(cost.data);
  return (
    <Tooltip label={basis} multiline maw={320} withArrow events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what the cost is made from is read by keyboard, too. */}
      <span className={classes.cost} tabIndex={0}>
        {short}
      </span>
    </Tooltip>
  );
}

/** Null for a file that names several models: they are priced line by line when they have been answered. */
function theOnly(models: readonly string[] = []): string | null {
  return models.length === 1 ? (models[0] ?? null) : null;
}
