import { Tooltip } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { ReuseCount, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { usualAnswer } from "../preview/trial-store.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./build-footer.module.css";
import { describeCost } from "./describe-cost.ts";
import { type Job, leaveOutReused } from "./jobs.ts";

interface CostProps {
  readonly source: Source;
  readonly jobs: readonly Job[];
  /** Of each of them. */
  readonly reusable: readonly ReuseCount[];
}

/** What the batches may cost, as far as it can be known before they are sent. */
export function Cost({ source, jobs, reusable }: CostProps) {
  const { connectionId, rows } = useContent((content) => content);
  const usual = useStore(useSession().trial.state, ({ trials }) => usualAnswer(trials));
  const priced = jobs.flatMap(({ input: { template }, check }, at) => {
    // A file of requests names its model and its limits itself.
    const model = source.holds === "rows" ? template.model : theOnly(check?.models);
    if (!check?.finished || model === null) return [];
    const { prompts } = leaveOutReused(check, reusable[at], rows);
    return [{ model, prompts, longestAnswer: source.holds === "rows" ? template.maxCompletionTokens : null }];
  });
  const isKnown = connectionId !== null && priced.length === jobs.length;
  const cost = useQuery({
    ...createBuildQueries(useApi()).cost(isKnown ? { connectionId, usualAnswer: usual, jobs: priced } : null),
    placeholderData: keepPreviousData,
  });
  if (connectionId === null) return <span className={classes.faint}>no cost here</span>;
  if (!isKnown || cost.data === undefined) return null;
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
