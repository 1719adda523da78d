import { Button, type ButtonProps, Tooltip, VisuallyHidden } from "@mantine/core";
import {
  IconAlertTriangleFilled,
  IconCheck,
  IconCircle,
  IconCircleFilled,
  IconDownload,
  IconPlayerStop,
  IconRulerMeasure,
  IconShieldCheck,
  IconSquareFilled,
} from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import type { BatchDetail, BatchView } from "#contract";
import {
  formatExactTime,
  formatNumber,
  formatRate,
  ProgressBar,
  RelativeTime,
  Sparkline,
} from "../../../components/index.ts";
import {
  canCancel,
  countEnded,
  describeModels,
  hasAnswers,
  isUnderWay,
  lookOf,
  shareEnded,
} from "../describe-batch.ts";
import { StatusBadge } from "../status-badge.tsx";
import classes from "./batch-head.module.css";
import { announceProgress, describeCounts, describePace, describeSteps, type Step } from "./describe-progress.ts";

export interface BatchHeadProps {
  readonly batch: BatchDetail;
  readonly onExport: () => void;
  readonly isExporting: boolean;
  readonly onCancel: () => void;
  readonly onVerify: () => void;
  readonly isVerifying: boolean;
  readonly onGrade: () => void;
  readonly isGrading: boolean;
}

/** What a batch is, how it stands, and what can be done with it. */
export function BatchHead({ batch, ...actions }: BatchHeadProps) {
  const { name, status, times, models } = batch;
  return (
    <header className={classes.root}>
      <div className={classes.top}>
        <h1 className={classes.name} title={name}>
          {name}
        </h1>
        <StatusBadge status={status} />
        <span className={classes.about}>
          {models.length > 0 ? <span title={models.join("\n")}>{describeModels(models)}, </span> : null}
          <RelativeTime time={times.created} />
        </span>
        <div className={classes.actions}>
          {canCancel(status) ? (
            <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={actions.onCancel} />
          ) : null}
          {hasAnswers(batch) ? (
            <>
              <HeadButton
                label="Verify answers"
                icon={<IconShieldCheck size={15} />}
                onClick={actions.onVerify}
                disabled={actions.isVerifying}
              />
              <HeadButton
                label="Grade answers"
                icon={<IconRulerMeasure size={15} />}
                onClick={actions.onGrade}
                disabled={actions.isGrading}
              />
            </>
          ) : null}
          {status === "failed" ? null : (
            <HeadButton
              label="Export"
              icon={<IconDownload size={15} />}
              onClick={actions.onExport}
              loading={actions.isExporting}
              disabled={countEnded(batch) === 0}
            />
          )}
        </div>
      </div>
      <BatchSteps status={status} times={times} />
      {status === "failed" ? null : <BatchProgress batch={batch} />}
    </header>
  );
}

interface HeadButtonProps extends Pick<ButtonProps, "loading" | "disabled"> {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

/** A button that keeps only its icon where there is no room for its word. */
function HeadButton({ label, icon, ...props }: HeadButtonProps) {
  return (
    <Button className={classes.action} aria-label={label} title={label} {...props}>
      {icon}
      <span className={classes.actionLabel}>{label}</span>
    </Button>
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
        <Tooltip label={step.at === null ? "" : formatExactTime(step.at)}>
          <span className={classes.detail}>{step.detail}</span>
        </Tooltip>
      ) : null}
    </li>
  );
}

/** How far a batch is, how fast it goes, and how its pace has been. */
function BatchProgress({ batch }: { readonly batch: BatchDetail }) {
  const share = shareEnded(batch);
  const { count, rest } = describeCounts(batch);
  const { word, tone } = lookOf(batch.status);
  const most = Math.max(0, ...batch.throughput);
  return (
    <div className={classes.progress}>
      <div className={classes.main}>
        <div className={classes.bar}>
          <ProgressBar
            label="Progress"
            share={share}
            text={`${count} ${rest}`}
            tone={isUnderWay(batch.status) ? "active" : tone === "done" ? "done" : "quiet"}
            height={8}
          />
        </div>
        <div className={classes.texts}>
          <span>
            <b>{count}</b> <span className={classes.soft}>{rest}</span>
            {batch.counts.failed > 0 ? (
              <span className={classes.failed}>{formatNumber(batch.counts.failed)} failed</span>
            ) : null}
          </span>
          <span className={classes.soft}>{describePace(batch)}</span>
        </div>
      </div>
      {batch.throughput.length > 1 ? (
        <div className={classes.chart}>
          <Sparkline samples={batch.throughput} label={`Lines a second over time, at most ${formatRate(most)}`} />
        </div>
      ) : null}
      <VisuallyHidden role="status">{announceProgress(batch.status, word, share)}</VisuallyHidden>
    </div>
  );
}
