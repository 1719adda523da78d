import { Button, Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import { useApi } from "../../../bridge/index.ts";
import { formatCount, formatNumber } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import { type CostText, describeCost } from "../footer/describe-cost.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./trial.module.css";
import { usualAnswer, type VersionToTry } from "./trial-store.ts";
import type { VersionCheck } from "./use-checks.ts";

interface TryAllVersionsProps {
  readonly versions: readonly VersionToTry[];
  readonly checks: readonly VersionCheck[];
  readonly isReady: boolean;
  readonly onTry: () => void;
}

/** Asks every version for the same rows, after it has shown how many calls that is and what they may cost. */
export function TryAllVersions({ versions, checks, isReady, onTry }: TryAllVersionsProps) {
  const [isOpen, setOpen] = useState(false);
  const rows = versions[0]?.input.rows.count ?? 0;
  const fitting = checks[0]?.latest?.fitting ?? rows;
  const each = Math.min(rows, fitting);
  const cost = useTrialCost(isOpen ? versions : [], checks, each);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" disabled={!isReady} onClick={() => setOpen(!isOpen)}>
          Try all versions
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.confirm}>
        <p>
          <strong>{formatCount(each * versions.length, "call")}</strong>: {formatCount(each, "row")} for each of{" "}
          {formatNumber(versions.length)} versions.
        </p>
        {cost === null ? null : (
          <p>
            {cost.short}
            {cost.basis === "" ? null : <span className={classes.basis}>{cost.basis}</span>}
          </p>
        )}
        <Button
          size="xs"
          variant="filled"
          onClick={() => {
            setOpen(false);
            onTry();
          }}
        >
          Try {formatNumber(versions.length)} versions
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

/** What calls of the versions cost together, null until it is known: prompts as long as those of the whole file on average. */
function useTrialCost(
  versions: readonly VersionToTry[],
  checks: readonly VersionCheck[],
  rows: number,
): CostText | null {
  const usual = useStore(useSession().trial.state, ({ trials }) => usualAnswer(trials));
  const connectionId = versions[0]?.input.template.connectionId ?? null;
  const jobs = versions.flatMap(({ key, input: { template } }) => {
    const check = checks.find((version) => version.key === key)?.latest ?? null;
    if (check === null || check.requests === 0) return [];
    const promptTokens = (check.promptTokens / check.requests) * rows;
    return [
      { model: template.model, prompts: [{ lines: rows, promptTokens }], longestAnswer: template.maxCompletionTokens },
    ];
  });
  const isKnown = connectionId !== null && jobs.length === versions.length;
  const cost = useQuery(
    createBuildQueries(useApi()).cost(isKnown ? { connectionId, isDirect: true, usualAnswer: usual, jobs } : null),
  );
  if (connectionId === null) return { short: "No cost on this computer.", basis: "" };
  if (cost.data === undefined) return null;
  const { short, basis } = describeCost(cost.data);
  return { short: `Cost: ${short}`, basis };
}
