import { ActionIcon, Button, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPause, IconX } from "@tabler/icons-react";
import { describeError, useConnection } from "../../../bridge/index.ts";
import { formatCount, formatNumber, formatRate, formatTimeLeft, ProgressBar } from "../../../components/index.ts";
import type { BatchRun, RunCommands } from "../../../queries/run-queries.ts";
import classes from "./run-status.module.css";

export interface RunStatusProps {
  readonly commands: RunCommands<BatchRun>;
  /** What is done: "Verifying". */
  readonly doing: string;
  /** What it is called: "verification". */
  readonly name: string;
  /** What it works on: "answer". */
  readonly unit: string;
  /** What it came to, for screen readers. */
  readonly outcome: string;
}

/**
 * How far a run over the answers is, or why it stopped, with what can be done about it. It is in the row of the tabs,
 * where it moves nothing. Shows nothing once the run is done.
 */
export function RunStatus({ commands, doing, name, unit, outcome }: RunStatusProps) {
  const { run } = commands;
  if (run === null) return null;
  return (
    <>
      {run.state === "done" ? null : (
        <section className={classes.root} aria-label={capitalize(name)} data-state={run.state}>
          {run.state === "running" ? (
            <Running {...commands} run={run} doing={doing} name={name} unit={unit} />
          ) : (
            <Stopped {...commands} run={run} name={name} unit={unit} />
          )}
        </section>
      )}
      <VisuallyHidden role="status">{announceRun(run, doing, name, outcome)}</VisuallyHidden>
    </>
  );
}

type PartProps = Omit<RunCommands<BatchRun>, "run"> & {
  readonly run: BatchRun;
  readonly name: string;
  readonly unit: string;
};

function Running({ run, doing, name, unit, cancel, isPending }: PartProps & { readonly doing: string }) {
  const done = describeDone(run, unit);
  // Without its host the page gets no progress.
  const isLost = useConnection().status !== "open";
  return (
    <>
      <span className={classes.doing}>{doing}</span>
      <span className={classes.count}>{done}</span>
      <span className={classes.pace}>{isLost ? "" : describePace(run, unit)}</span>
      <span className={classes.bar}>
        <ProgressBar label={capitalize(name)} share={run.total === 0 ? null : run.done / run.total} text={done} />
      </span>
      <Tooltip label={`Cancel ${name}`}>
        <ActionIcon size={26} aria-label={`Cancel ${name}`} loading={isPending} onClick={cancel}>
          <IconX size={15} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

function Stopped({ run, name, unit, resume, isPending, error }: PartProps) {
  const Icon = run.state === "failed" ? IconAlertTriangle : IconPlayerPause;
  const words = `${capitalize(name)} stopped at ${describeDone(run, unit)}.`;
  const problem = error === null ? run.problem : describeError(error).message;
  const text = problem === null ? words : `${words} ${problem}`;
  return (
    <>
      <Tooltip label={text} multiline maw={420}>
        <span className={classes.stopped}>
          <Icon size={15} aria-hidden className={classes.icon} />
          <span className={classes.text}>{text}</span>
        </span>
      </Tooltip>
      <Button size="xs" loading={isPending} onClick={resume}>
        Resume {name}
      </Button>
    </>
  );
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `412 of 1,319 answers`. */
export function describeDone({ done, total }: Pick<BatchRun, "done" | "total">, unit: string): string {
  return `${formatNumber(done)} of ${formatCount(total, unit)}`;
}

/** Rate and time left, while it runs. */
export function describePace({ rate, timeLeft }: Pick<BatchRun, "rate" | "timeLeft">, unit: string): string {
  const parts = [
    rate === null ? null : `${formatRate(rate)} ${unit}s/s`,
    timeLeft === null ? null : `${formatTimeLeft(timeLeft)} left`,
  ];
  return parts.filter((part) => part !== null).join("  ·  ");
}

/** For screen readers: changes with the state and, while it runs, at each quarter. */
export function announceRun({ state, done, total }: BatchRun, doing: string, name: string, outcome: string): string {
  switch (state) {
    case "running": {
      const quarter = total === 0 ? 0 : Math.floor((done / total) * 4) * 25;
      return quarter === 0 ? `${doing} answers` : `${doing} answers, ${quarter}%`;
    }
    case "stopped":
      return `The ${name} is stopped`;
    case "failed":
      return `The ${name} could not go on`;
    case "done":
      return outcome;
  }
}
