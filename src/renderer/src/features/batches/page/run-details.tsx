import { ActionIcon, Popover, Tooltip } from "@mantine/core";
import {
  IconAlertTriangleFilled,
  IconCheck,
  IconCircle,
  IconCircleFilled,
  IconSquareFilled,
  IconTimeline,
} from "@tabler/icons-react";
import { use, useMemo } from "react";
import type { BatchDetail, BatchView } from "#contract";
import { ClockAhead, formatDuration, formatExactTime, formatRate, Sparkline } from "../../../components/index.ts";
import { describeCounts, describePace, describeSteps, type Step } from "./describe-progress.ts";
import classes from "./run-details.module.css";

/** The steps of a batch with their times, and how fast it went. */
export function RunDetails({ batch }: { readonly batch: BatchDetail }) {
  const { count, rest } = describeCounts(batch);
  return (
    <Popover position="bottom-start" width={320} trapFocus>
      <Tooltip label="Steps and throughput">
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size={22} ml={4} aria-label="Steps and throughput">
            <IconTimeline size={16} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown className={classes.root} aria-label="Steps and throughput">
        <BatchSteps status={batch.status} times={batch.times} />
        {batch.status === "failed" ? null : (
          <p className={classes.summary}>
            {count} {rest}
            <br />
            {describePace(batch)}
          </p>
        )}
        <Throughput batch={batch} />
      </Popover.Dropdown>
    </Popover>
  );
}

const icons = {
  past: IconCheck,
  ended: IconCircleFilled,
  now: IconCircleFilled,
  ahead: IconCircle,
  failed: IconAlertTriangleFilled,
  stopped: IconSquareFilled,
};

const sizes = { past: 13, ended: 7, now: 9, ahead: 9, failed: 13, stopped: 9 };

/** The way of a batch through its states, with times. */
function BatchSteps({ status, times }: Pick<BatchView, "status" | "times">) {
  const steps = useMemo(() => describeSteps({ status, times }), [status, times]);
  return (
    <ol className={classes.steps} aria-label="Steps">
      {steps.map((step) => (
        <StepItem key={step.word} step={step} />
      ))}
    </ol>
  );
}

function StepItem({ step }: { readonly step: Step }) {
  const Icon = icons[step.state];
  return (
    <li className={classes.step} data-state={step.state} aria-current={step.state === "now" ? "step" : undefined}>
      <Icon className={classes.icon} size={sizes[step.state]} aria-hidden />
      <span className={classes.word}>{step.word}</span>
      {step.detail ? (
        <span className={classes.detail} title={step.at === null ? undefined : formatExactTime(step.at)}>
          {step.detail}
        </span>
      ) : null}
    </li>
  );
}

/** Lines a second over time, with its axes. */
function Throughput({ batch: { throughput, times, connection } }: { readonly batch: BatchDetail }) {
  const ahead = use(ClockAhead);
  if (throughput.length < 2 || times.inProgress === null) return null;
  const most = formatRate(Math.max(0, ...throughput));
  const end = times.finalizing ?? times.cancelled ?? times.expired ?? Date.now() + (connection === null ? ahead : 0);
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>Lines a second</figcaption>
      <div className={classes.plot}>
        <span className={classes.axis}>
          <span>{most}</span>
          <span>0</span>
        </span>
        <div className={classes.line}>
          <Sparkline samples={throughput} label={`Lines a second over time, at most ${most}`} />
        </div>
      </div>
      <div className={classes.times}>
        <span>0 s</span>
        <span>{formatDuration(end - times.inProgress)}</span>
      </div>
    </figure>
  );
}
