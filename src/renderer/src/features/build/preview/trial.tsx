import { Button, NativeSelect } from "@mantine/core";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Source, TrialRow } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import {
  ErrorCard,
  formatCost,
  formatCount,
  formatLatency,
  formatNumber,
  scrollable,
} from "../../../components/index.ts";
import { selectedVersion, toBuildInput, toRequestTemplate } from "../draft/draft-content.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import classes from "./trial.module.css";
import type { AnswerBefore, TrialInput } from "./trial-store.ts";

const trialRows = 10;
const takes = [
  { value: "first", label: "first" },
  { value: "last", label: "last" },
  { value: "random", label: "random" },
] as const;

/** Asks a few rows before the whole file: their answers are shown below, next to those of the trial before. */
export function Trial({ source, isReady }: { readonly source: Source; readonly isReady: boolean }) {
  const { id, store, trial } = useSession();
  const { isRunning, rows, version, before, waiting, error } = useStore(trial.state);
  const versions = useContent((content) => content.versions);
  const nameOf = (version: string) => versions.find(({ key }) => key === version)?.name;
  const answered = rows.filter(({ state }) => state !== "waiting").length;
  const isSlow = useSlow(isRunning, answered);
  const note = waiting ?? (isSlow ? describeSlow(answered, rows.length) : null);
  const [take, setTake] = useState<TrialInput["rows"]["take"]>("first");
  const count = Math.min(trialRows, source.rowCount);
  const start = () => {
    const content = store.content.getState();
    const version = selectedVersion(content);
    const template = toRequestTemplate(content, version);
    const rows = { take, count, filter: content.rows.filter };
    void trial.start({ ...toBuildInput(content, source.id, template), draftId: id, rows }, version.key);
  };
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
          <Button size="xs" disabled={!isReady} onClick={start}>
            Try {formatCount(count, "row")}
          </Button>
        )}
      </header>
      {error === null ? null : (
        <div className={classes.notice}>
          <ErrorCard title="The rows could not be asked" {...describeError(error)} onRetry={start} />
        </div>
      )}
      {note === null ? null : (
        <p className={classes.notice} role="status">
          {note}
        </p>
      )}
      {rows.length === 0 ? null : (
        <ol className={classes.rows} aria-label="Answers of the trial" {...scrollable}>
          {rows.map((row) => (
            <Answer key={row.row} row={row} version={version} before={before.get(row.row)} nameOf={nameOf} />
          ))}
        </ol>
      )}
    </section>
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

interface AnswerProps {
  readonly row: TrialRow;
  /** The version of the prompt that was asked. */
  readonly version: string;
  readonly before: AnswerBefore | undefined;
  /** Undefined for a version that was removed. */
  readonly nameOf: (version: string) => string | undefined;
}

function Answer({ row, version, before, nameOf }: AnswerProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isOther = before !== undefined && before.version !== version;
  const measures = [
    row.completionTokens === null ? null : formatCount(row.completionTokens, "token"),
    row.milliseconds === null ? null : formatLatency(row.milliseconds),
    row.cost === null ? null : formatCost(row.cost),
  ].filter((measure) => measure !== null);
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        aria-expanded={isOpen}
        data-open={isOpen || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={classes.number}>{formatNumber(row.row)}</span>
        <span className={classes.texts}>
          <span className={classes.question} dir="auto">
            {row.question}
          </span>
          {before === undefined || before.answer === row.answer ? null : (
            <span className={classes.before} dir="auto">
              <span className={classes.word}>{(isOther ? nameOf(before.version) : null) ?? "before"}</span>{" "}
              {before.answer}
            </span>
          )}
          <span className={classes.answer} dir="auto" data-state={row.state}>
            {isOther ? <span className={classes.word}>{nameOf(version)} </span> : null}
            {row.state === "waiting" ? "…" : row.answer}
          </span>
        </span>
        <span className={classes.measures}>{measures.join(" · ")}</span>
      </button>
    </li>
  );
}
