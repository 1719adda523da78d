import { Button } from "@mantine/core";
import { IconHistory, IconShieldCheck } from "@tabler/icons-react";
import { type VerificationRun, verdictSchema } from "#contract";
import {
  EmptyState,
  FormBadge,
  formatNumber,
  lookOfAgreement,
  lookOfForm,
  lookOfVerdict,
  nameKind,
  scrollable,
  VerdictBadge,
} from "../../../components/index.ts";
import { BarChart, showLines } from "../charts/bar-chart.tsx";
import { useResults } from "../results-context.tsx";
import { describeDone } from "../tabs/run-status.tsx";
import classes from "../tabs/run-summary.module.css";
import {
  describeDisagreements,
  describeDocument,
  describeJudge,
  describeRulesAlone,
  describeWrong,
} from "./describe-verification.ts";

/** What the verification of a batch came to: how many answers have each verdict, and what was found, by kind. */
export function VerificationTab({ run }: { readonly run: VerificationRun }) {
  const { onShow, onVerify } = useResults();
  const rulesAlone = describeRulesAlone(run);
  const claims = Object.values(run.claims).reduce((sum, count) => sum + count, 0);
  const verifyAgain = (
    <Button leftSection={<IconShieldCheck size={15} />} onClick={onVerify}>
      Verify again
    </Button>
  );
  if (run.isEarlier && run.state !== "running") {
    return (
      <EmptyState
        icon={<IconHistory size={26} stroke={1.5} />}
        title="Verified by an earlier version"
        actions={verifyAgain}
      >
        Its verdicts meant something else than today’s, so they are not shown. They are in exports as they were made.
      </EmptyState>
    );
  }
  return (
    <div className={classes.root} {...scrollable}>
      <div className={classes.lead}>
        <p>
          {describeDone(run, "answer")} verified {describeJudge(run.choice)}
          {describeDocument(run.document)}.{run.done === 0 ? null : ` ${describeWrong(run)}`}
          {run.problem === null ? null : ` ${run.problem}`}
          {rulesAlone === null ? null : <strong> {rulesAlone}</strong>}
          {run.choice.judge !== "both" ? null : (
            <>
              {" "}
              {describeDisagreements(run)}{" "}
              {run.disagreements === 0 ? null : (
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Show lines: ${lookOfAgreement("disagree").word}`}
                  onClick={() => onShow({ agreements: ["disagree"] })}
                >
                  Show lines
                </Button>
              )}
            </>
          )}
        </p>
        {run.state === "running" ? null : verifyAgain}
      </div>
      <section className={classes.card} aria-labelledby="answers-by-verdict">
        <h2 className={classes.title} id="answers-by-verdict">
          Answers by verdict
        </h2>
        <BarChart
          label="Answers by verdict"
          whole={run.done}
          hasShares
          bars={verdictSchema.options.map((verdict) => ({
            key: verdict,
            label: <VerdictBadge verdict={verdict} />,
            count: run.counts[verdict],
            tone: lookOfVerdict(verdict).tone,
            opens:
              run.counts[verdict] > 0
                ? showLines(lookOfVerdict(verdict).word, () => onShow({ verdicts: [verdict] }))
                : undefined,
          }))}
        />
        {run.form.kept + run.form.broken === 0 ? null : (
          <BarChart
            label="Form of answers"
            whole={run.done}
            longest={Math.max(...verdictSchema.options.map((verdict) => run.counts[verdict]))}
            hasShares
            bars={(["broken", "kept"] as const).map((form) => ({
              key: form,
              label: <FormBadge form={form} />,
              count: run.form[form],
              tone: lookOfForm(form).tone,
              opens: run.form[form] > 0 ? showLines(lookOfForm(form).word, () => onShow({ forms: [form] })) : undefined,
            }))}
          />
        )}
        <p className={classes.note}>
          One contradicted claim makes an answer contradicted. An answer is supported only if every claim is. In an
          answer that is not checkable, no claim is wrong, but some can't be looked up or computed. The form of an
          answer (sentences, words, format) is judged separately.
        </p>
      </section>
      <section className={classes.card} aria-labelledby="claims-by-verdict">
        <h2 className={classes.title} id="claims-by-verdict">
          Claims by verdict
          <span className={classes.sum}>{formatNumber(claims)}</span>
        </h2>
        <BarChart
          label="Claims by verdict"
          whole={claims}
          hasShares
          bars={verdictSchema.options.map((verdict) => ({
            key: verdict,
            label: <VerdictBadge verdict={verdict} />,
            count: run.claims[verdict],
            tone: lookOfVerdict(verdict).tone,
          }))}
        />
      </section>
      <section className={classes.card} aria-labelledby="findings-by-kind">
        <h2 className={classes.title} id="findings-by-kind">
          Contradicted or not in the document, by kind
          <span className={classes.sum}>{formatNumber(run.kinds.reduce((sum, { count }) => sum + count, 0))}</span>
        </h2>
        {run.kinds.length === 0 ? (
          <p className={classes.note}>Nothing was found{run.done < run.total ? " so far" : ""}.</p>
        ) : (
          <BarChart
            label="Findings by kind"
            whole={Math.max(...run.kinds.map(({ count }) => count))}
            bars={run.kinds.map(({ kind, count }) => ({ key: kind, label: nameKind(kind), count, tone: "accent" }))}
          />
        )}
      </section>
    </div>
  );
}
