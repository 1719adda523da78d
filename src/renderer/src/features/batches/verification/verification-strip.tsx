import { Button, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPause, IconShieldSearch } from "@tabler/icons-react";
import type { VerificationRun } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { ProgressBar } from "../../../components/index.ts";
import { announceRun, describeDone, describeRunPace } from "./describe-verification.ts";
import { useCancelVerification, useResumeVerification } from "./verification-queries.ts";
import classes from "./verification-strip.module.css";

/** How far a verification is, or why it stands still, with what can be done about it. Says nothing once it is done. */
export function VerificationStrip({ run }: { readonly run: VerificationRun }) {
  const cancel = useCancelVerification();
  const resume = useResumeVerification();
  const { batchId, state } = run;
  const failure = cancel.error ?? resume.error;
  return (
    <>
      {state === "done" ? null : (
        <section className={classes.root} aria-label="Verification" data-state={state}>
          {state === "running" ? (
            <>
              <IconShieldSearch size={16} aria-hidden className={classes.icon} />
              <span className={classes.title}>Verifying</span>
              <ProgressBar
                label="Verification"
                share={run.total === 0 ? null : run.done / run.total}
                text={describeDone(run)}
              />
              <span className={classes.count}>{describeDone(run)}</span>
              <span className={classes.pace}>{describeRunPace(run)}</span>
              <Button size="xs" loading={cancel.isPending} onClick={() => cancel.mutate({ batchId })}>
                Cancel verification
              </Button>
            </>
          ) : (
            <>
              <Standing run={run} />
              <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate({ batchId })}>
                Resume verification
              </Button>
            </>
          )}
          {failure ? <p className={classes.problem}>{describeError(failure).message}</p> : null}
        </section>
      )}
      <VisuallyHidden role="status">{announceRun(run)}</VisuallyHidden>
    </>
  );
}

/** Why it stands still. */
function Standing({ run }: { readonly run: VerificationRun }) {
  const Icon = run.state === "failed" ? IconAlertTriangle : IconPlayerPause;
  return (
    <>
      <Icon size={16} aria-hidden className={classes.icon} />
      <span className={classes.standing}>
        {run.problem
          ? `Verification stopped at ${describeDone(run)}. ${run.problem}`
          : `Verification stopped at ${describeDone(run)}.`}
      </span>
    </>
  );
}
