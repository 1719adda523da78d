import { Button } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { type LineVerdict, lineVerdictSchema, type VerificationRun, verifyCheckSchema } from "#contract";
import { formatNumber, lookOfVerdict, nameCheck, scrollable, VerdictBadge } from "../../../components/index.ts";
import { BarChart } from "./bar-chart.tsx";
import { describeDocument, describeDone, describeJudge } from "./describe-verification.ts";
import classes from "./verification-tab.module.css";

export interface VerificationTabProps {
  readonly run: VerificationRun;
  /** Shows the lines with a verdict. */
  readonly onVerdict: (verdict: LineVerdict) => void;
  readonly onVerify: () => void;
}

/** What the verification of a batch came to: how many lines of each verdict, and which checks found contradictions. */
export function VerificationTab({ run, onVerdict, onVerify }: VerificationTabProps) {
  const contradictions = run.contradictedBy.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={classes.root} {...scrollable}>
      <div className={classes.lead}>
        <p>
          {describeDone(run)} verified {describeJudge(run.choice)}
          {describeDocument(run.document)}.
        </p>
        {run.state === "running" ? null : (
          <Button leftSection={<IconShieldCheck size={15} />} onClick={onVerify}>
            Verify again
          </Button>
        )}
      </div>
      <section className={classes.card} aria-labelledby="verdicts-of-answers">
        <h2 className={classes.title} id="verdicts-of-answers">
          Answers by verdict
        </h2>
        <BarChart
          label="Answers by verdict"
          whole={run.done}
          hasShares
          bars={lineVerdictSchema.options.map((verdict) => ({
            key: verdict,
            label: <VerdictBadge verdict={verdict} />,
            count: run.counts[verdict],
            tone: lookOfVerdict(verdict).tone,
            action: run.counts[verdict] > 0 && (
              <Button
                size="xs"
                variant="subtle"
                aria-label={`Show lines: ${lookOfVerdict(verdict).word}`}
                onClick={() => onVerdict(verdict)}
              >
                Show lines
              </Button>
            ),
          }))}
        />
        <p className={classes.note}>
          A hallucination has at least one claim that is contradicted. Of an answer that is not checkable no claim could
          be checked: that says nothing against it.
        </p>
      </section>
      <section className={classes.card} aria-labelledby="contradictions-by-check">
        <h2 className={classes.title} id="contradictions-by-check">
          Contradicted claims by check
          <span className={classes.sum}>{formatNumber(contradictions)}</span>
        </h2>
        {contradictions === 0 ? (
          <p className={classes.note}>No claim {run.done < run.total ? "so far " : ""}is contradicted.</p>
        ) : (
          <BarChart
            label="Contradicted claims by check"
            whole={Math.max(...run.contradictedBy.map(({ count }) => count))}
            bars={run.contradictedBy.map(({ check, count }) => ({
              key: check,
              label: wordOfCheck(check),
              count,
              tone: "bad",
            }))}
          />
        )}
      </section>
    </div>
  );
}

function wordOfCheck(check: string): string {
  const known = verifyCheckSchema.safeParse(check);
  return (known.success ? nameCheck(known.data) : null) ?? check;
}
