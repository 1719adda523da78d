import { Tooltip } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { ReuseCount, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { promptRatio, usualAnswer } from "../preview/trial-store.ts";
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
  const trial = useSession().trial.state;
  const usual = useStore(trial, ({ trials }) => usualAnswer(trials));
  const ratio = useStore(trial, ({ trials }) => promptRatio(trials));
  const priced = jobs.flatMap(({ input: { template }, check }, at) => {
    // A file of requests names its model and its limits itself.
    if (!check?.finished) return [];
    const { prompts } = leaveOutReused(check, reusable[at], rows);
    if (source.holds !== "rows") return [{ model: check.models?.[0] ?? "", prompts, longestAnswer: null }];
    // A check is of one model; the same rows may be asked of others.
    const own = prompts.map(({ model: _, ...group }) => group);
    return [{ model: template.model, prompts: own, longestAnswer: template.maxCompletionTokens }];
  });
  const isKnown = connectionId !== null && priced.length === jobs.length;
  const cost = useQuery({
    ...createBuildQueries(useApi()).cost(
      isKnown ? { connectionId, usualAnswer: usual, promptRatio: ratio, jobs: priced } : null,
    ),
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
