import { Tooltip } from "@mantine/core";
import {
  IconAlertTriangleFilled,
  IconCheck,
  IconCircle,
  IconCircleFilled,
  IconSquareFilled,
} from "@tabler/icons-react";
import { useMemo } from "react";
import type { BatchView } from "#contract";
import { formatExactTime } from "../../../components/index.ts";
import classes from "./batch-steps.module.css";
import { describeSteps, type Step } from "./steps.ts";

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
export function BatchSteps({ status, times }: Pick<BatchView, "status" | "times">) {
  const steps = useMemo(() => describeSteps({ status, times }), [status, times]);
  return (
    <ol className={classes.root} aria-label="Steps">
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
        <Tooltip label={step.at === null ? "" : formatExactTime(step.at)}>
          <span className={classes.detail}>{step.detail}</span>
        </Tooltip>
      ) : null}
    </li>
  );
}
