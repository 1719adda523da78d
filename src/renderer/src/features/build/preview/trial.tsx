import { Button, NativeSelect } from "@mantine/core";
import { IconArrowsDiagonal } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Source } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import {
  Boundary,
  ErrorCard,
  formatCost,
  formatCount,
  formatLatency,
  formatNumber,
  IconAction,
} from "../../../components/index.ts";
import { findSelected, useBuildInputs, useContent, useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import classes from "./trial.module.css";
import { TrialAnswers } from "./trial-answers.tsx";
import { TrialDrawer } from "./trial-drawer.tsx";
import type { TrialInput, VersionToTry } from "./trial-store.ts";
import { findShownTrial, type ShownTrial, sumCosts, toTrialTable } from "./trial-table.ts";
import { TryAllVersions } from "./try-all-versions.tsx";
import { canTry, type VersionCheck } from "./use-checks.ts";

const trialRows = 10;
const takes = [
  { value: "first", label: "first" },
  { value: "last", label: "last" },
  { value: "random", label: "random" },
] as const;

interface TrialProps {
  readonly source: Source;
  /** Of each version of the prompt. */
  readonly checks: readonly VersionCheck[];
}

/** Asks a few rows before the whole file; the answers of the other versions to the same rows are shown beside. */
export function Trial({ source, checks }: TrialProps) {
  const { id, trial } = useSession();
  const state = useStore(trial.state);
  const { isRunning, error } = state;
  const selected = useContent((content) => content.selected);
  const versions = useBuildInputs(source);
  const shown = findShownTrial(state, versions, selected);
  const table = shown && toTrialTable(shown.trial, shown.others);
  const [take, setTake] = useState<TrialInput["rows"]["take"]>("first");
  const count = Math.min(trialRows, source.rowCount);
  const toTry: readonly VersionToTry[] = versions.map(({ key, name, input }) => ({
    key,
    input: { ...input, draftId: id, version: name, rows: { take, count, filter: input.rows?.filter } },
  }));
  const chosen = findSelected(toTry, selected);
  const isReady = (key: string) => checks.some((check) => check.key === key && canTry(check));
  const [isOpen, setOpen] = useState(false);
  const ask = (some: readonly VersionToTry[]) => {
    // A text alone has room beside the prompt.
    if (versions.length > 1 || some.some(({ input }) => input.template.answerFormat !== undefined)) setOpen(true);
    void trial.start(some);
  };
  const again = toTry.find(({ input }) => input.version === shown?.name);
  const start = () => ask(chosen === null ? [] : [chosen]);
  return (
    <section className={classes.root} aria-labelledby="build-trial" aria-busy={isRunning}>
      <header className={panes.head}>
        <h2 id="build-trial">Trial</h2>
        <span className={panes.spacer} />
        <NativeSelect
          size="xs"
          className={classes.take}
          aria-label="Which rows to try"
          data={takes.map((choice) => ({ ...choice }))}
          value={take}
          onChange={({ currentTarget }) =>
            setTake(takes.find(({ value }) => value === currentTarget.value)?.value ?? take)
          }
        />
        {isRunning ? (
          <Button size="xs" onClick={trial.stop}>
            Stop
          </Button>
        ) : (
          <Button size="xs" disabled={chosen === null || !isReady(chosen.key)} onClick={start}>
            Try {formatCount(count, "row")}
          </Button>
        )}
      </header>
      {error === null ? null : (
        <div className={classes.notice}>
          <ErrorCard title="The rows could not be asked" {...describeError(error)} onRetry={start} />
        </div>
      )}
      {shown === null && versions.length < 2 ? null : (
        <div className={classes.summary}>
          {shown === null ? null : <Summary {...shown} isRunning={isRunning} />}
          <span className={panes.spacer} />
          {shown === null ? null : (
            <IconAction icon={IconArrowsDiagonal} label="Show the trial in a drawer" onClick={() => setOpen(true)} />
          )}
          {versions.length < 2 || isRunning ? null : (
            <TryAllVersions
              versions={toTry}
              checks={checks}
              isReady={toTry.every(({ key }) => isReady(key))}
              onTry={() => ask(toTry)}
            />
          )}
        </div>
      )}
      {shown === null || table === null ? null : (
        <Boundary title="The answers could not be shown">
          <TrialAnswers {...shown} table={table} />
        </Boundary>
      )}
      <TrialDrawer
        shown={shown}
        table={table}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isRunning={isRunning}
        summary={
          shown === null ? null : <Summary {...shown} isSelected={versions.length === 1} isRunning={isRunning} />
        }
        onStop={trial.stop}
        onTryAgain={again !== undefined && isReady(again.key) ? () => ask([again]) : undefined}
      />
    </section>
  );
}

/** Whose answers are shown, how long they took and what they cost, or why none comes. */
function Summary({ name, isSelected, isOutdated, trial, isRunning }: ShownTrial & { readonly isRunning: boolean }) {
  const { rows, waiting, milliseconds } = trial;
  const answered = rows.filter(({ state }) => state !== "waiting").length;
  const isUnderWay = isRunning && answered < rows.length;
  const isSlow = useSlow(isUnderWay, answered);
  const cost = sumCosts(rows);
  const note = isUnderWay ? (waiting ?? (isSlow ? describeSlow(answered, rows.length) : null)) : null;
  const facts = [
    isSelected ? null : `Answers of ${name}`,
    isUnderWay
      ? `${formatNumber(answered)} of ${formatNumber(rows.length)} answered`
      : milliseconds === null
        ? null
        : formatLatency(milliseconds),
    cost === null ? null : formatCost(cost),
    isOutdated ? "the prompt has changed since" : null,
  ].filter((fact) => fact !== null);
  return (
    <p role="status">
      {facts.join(" · ")}
      {note === null ? null : <span className={classes.note}>{note}</span>}
    </p>
  );
}

/** How long the page waits for an answer before it reports the wait, in milliseconds. */
const longestQuiet = 8_000;

/** Whether a trial is under way and no answer has come for a while. */
function useSlow(isRunning: boolean, answered: number): boolean {
  const [quietAt, setQuietAt] = useState<number | null>(null);
  useEffect(() => {
    setQuietAt(null);
    if (!isRunning) return;
    const timer = setTimeout(() => setQuietAt(answered), longestQuiet);
    return () => clearTimeout(timer);
  }, [isRunning, answered]);
  return isRunning && quietAt === answered;
}

/** The engine reports no event while it waits at a service's request, so the cause is not known here. */
function describeSlow(answered: number, asked: number): string {
  const sofar = asked === 0 ? "No answer yet" : `${formatNumber(answered)} of ${formatCount(asked, "row")} answered`;
  return `${sofar}. It goes on: the model is slow, or its service takes few direct calls a minute.`;
}
