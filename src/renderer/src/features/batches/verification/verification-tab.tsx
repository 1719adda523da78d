import { Button } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { type LineVerdict, lineVerdictSchema, type VerificationRun } from "#contract";
import { formatNumber, lookOfVerdict, nameKind, scrollable, VerdictBadge } from "../../../components/index.ts";
import { BarChart } from "./bar-chart.tsx";
import { describeDocument, describeDone, describeJudge } from "./describe-verification.ts";
import classes from "./verification-tab.module.css";

export interface VerificationTabProps {
  readonly run: VerificationRun;
  /** Shows the lines with a verdict. */
  readonly onVerdict: (verdict: LineVerdict) => void;
  readonly onVerify: () => void;
}

/** What the verification of a batch came to: how many lines of each verdict, and what was contradicted or not found. */
export function VerificationTab({ run, onVerdict, onVerify }: VerificationTabProps) {
  const found = run.kinds.reduce((sum, { count }) => sum + count, 0);
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
          {run.isEarlier
            ? "Made by an earlier version, whose verdicts meant something else. Verify again to see them."
            : "An answer has the gravest verdict of its claims. What is not checkable may be right or wrong."}
        </p>
      </section>
      <section className={classes.card} aria-labelledby="findings-by-kind">
        <h2 className={classes.title} id="findings-by-kind">
          Contradicted or not in the document
          <span className={classes.sum}>{formatNumber(found)}</span>
        </h2>
        {found === 0 ? (
          <p className={classes.note}>Nothing{run.done < run.total ? " so far" : ""}.</p>
        ) : (
          <BarChart
            label="Contradicted or not in the document"
            whole={Math.max(...run.kinds.map(({ count }) => count))}
            bars={run.kinds.map(({ kind, count }) => ({
              key: kind,
              label: nameKind(kind),
              count,
              tone: "bad",
            }))}
          />
        )}
      </section>
    </div>
  );
}
