import { Button, type ButtonProps } from "@mantine/core";
import { IconDownload, IconPlayerStop, IconShieldCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BatchDetail, VerificationRun } from "#contract";
import { RelativeTime } from "../../../components/index.ts";
import { countEnded } from "../counts.ts";
import { describeModels } from "../model-name.ts";
import { canCancel } from "../status.ts";
import { StatusBadge } from "../status-badge.tsx";
import { canVerify } from "../verification/describe-verification.ts";
import { VerificationStrip } from "../verification/verification-strip.tsx";
import classes from "./batch-head.module.css";
import { BatchProgress } from "./batch-progress.tsx";
import { BatchSteps } from "./batch-steps.tsx";

export interface BatchHeadProps {
  readonly batch: BatchDetail;
  readonly onExport: () => void;
  readonly isExporting: boolean;
  readonly onCancel: () => void;
  /** Null when the batch has never been verified. */
  readonly verification: VerificationRun | null;
  readonly onVerify: () => void;
}

/** What a batch is, how it stands, and what can be done with it. */
export function BatchHead({ batch, onExport, isExporting, onCancel, verification, onVerify }: BatchHeadProps) {
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
            <HeadButton label="Cancel" icon={<IconPlayerStop size={15} />} onClick={onCancel} />
          ) : null}
          {canVerify(batch) ? (
            <HeadButton
              label="Verify answers"
              icon={<IconShieldCheck size={15} />}
              onClick={onVerify}
              disabled={verification?.state === "running"}
            />
          ) : null}
          {status === "failed" ? null : (
            <HeadButton
              label="Export"
              icon={<IconDownload size={15} />}
              onClick={onExport}
              loading={isExporting}
              disabled={countEnded(batch) === 0}
            />
          )}
        </div>
      </div>
      <BatchSteps status={status} times={times} />
      {status === "failed" ? null : <BatchProgress batch={batch} />}
      {verification === null ? null : <VerificationStrip run={verification} />}
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
