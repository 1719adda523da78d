import { Button } from "@mantine/core";
import { modKey } from "../../components/index.ts";
import { JudgeMenu } from "./judge-menu.tsx";
import classes from "./run-bar.module.css";
import { useNotReady, type VerificationRun } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";

/** Verifies what is in the fields, and says why that can't be done yet. */
export function RunBar({ run, start, cancel }: VerificationRun) {
  const notReady = useNotReady();
  const isKept = useVerifyDraft((state) => state.isKept);
  const isRunning = run.status === "running";
  return (
    <div className={classes.root}>
      <div className={classes.bar}>
        <Button
          variant="filled"
          loading={isRunning}
          aria-disabled={notReady !== null}
          {...(notReady === null ? {} : { "data-disabled": true, "aria-describedby": "verify-not-ready" })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={start}
        >
          Verify
        </Button>
        {isRunning ? <Button onClick={cancel}>Cancel</Button> : null}
        {isRunning ? (
          <span className={classes.note} role="status">
            Checking…
          </span>
        ) : notReady === null ? (
          <kbd className={classes.key}>{modKey} Enter</kbd>
        ) : (
          <span className={classes.note} id="verify-not-ready">
            {notReady}
          </span>
        )}
        {isKept ? null : <span className={classes.note}>Too long to be kept over a reload.</span>}
        <span className={classes.spacer} />
        <JudgeMenu />
      </div>
    </div>
  );
}
