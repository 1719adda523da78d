import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRulerMeasure } from "@tabler/icons-react";
import { type Grade, type GradeRun, gradeSchema, type LabelTable, labelPaths, listConfusions } from "#contract";
import {
  formatCount,
  formatNumber,
  formatPart,
  GradeBadge,
  lookOfGrade,
  scrollable,
} from "../../../components/index.ts";
import { BarChart, ShowLines } from "../charts/bar-chart.tsx";
import { useResults } from "../results-context.tsx";
import { describeDone } from "../tabs/run-status.tsx";
import classes from "../tabs/run-summary.module.css";
import { describeAccuracy, describeGrader, explainLowAccuracy } from "./describe-grading.ts";

/** What the grading of a batch came to: how often the answers are right, and for labels which are taken for which. */
export function GradesTab({ run }: { readonly run: GradeRun }) {
  const { onShow, onGrade } = useResults();
  const { summary } = run;
  const counts: Record<Grade, number> = {
    pass: summary.passed,
    fail: summary.failed,
    no_answer: summary.noAnswer,
    no_expected: summary.noExpected,
  };
  const accuracy = describeAccuracy(summary);
  const doubt = run.state === "running" ? null : explainLowAccuracy(run);
  return (
    <div className={classes.root} {...scrollable}>
      <div className={classes.lead}>
        <p>
          {describeDone(run, "line")} graded {describeGrader(run)}.{run.problem === null ? null : ` ${run.problem}`}
        </p>
        {run.state === "running" ? null : (
          <Button leftSection={<IconRulerMeasure size={15} />} onClick={onGrade}>
            Grade again
          </Button>
        )}
      </div>
      <section className={classes.card} aria-labelledby="lines-by-grade">
        <h2 className={classes.title} id="lines-by-grade">
          Accuracy
        </h2>
        <p className={classes.figure}>
          {accuracy === null ? (
            <span className={classes.soft}>Nothing passed or failed{run.state === "running" ? " so far" : ""}.</span>
          ) : (
            <>
              <b>{accuracy.accuracy}</b>{" "}
              <span className={classes.soft}>
                of {formatNumber(summary.passed + summary.failed)} answers passed. The 95% interval is{" "}
                {accuracy.interval}.
              </span>
            </>
          )}
        </p>
        {doubt === null ? null : (
          <p className={classes.doubt}>
            <IconAlertTriangle size={16} aria-hidden />
            {doubt}
          </p>
        )}
        <BarChart
          label="Lines by grade"
          whole={summary.graded + summary.noExpected}
          hasShares
          bars={gradeSchema.options
            .filter((grade) => grade !== "no_expected" || counts[grade] > 0)
            .map((grade) => ({
              key: grade,
              label: <GradeBadge grade={grade} />,
              count: counts[grade],
              tone: lookOfGrade(grade).tone,
              action: counts[grade] > 0 && (
                <ShowLines of={lookOfGrade(grade).word} onShow={() => onShow({ grades: [grade] })} />
              ),
            }))}
        />
      </section>
      {summary.labels === null || summary.labels.labels.length === 0 ? null : <Labels table={summary.labels} />}
    </div>
  );
}

/** Which label was expected and which was given, how often; right ones on the diagonal. A count leads to its lines. */
function Labels({ table }: { readonly table: LabelTable }) {
  const { onShow } = useResults();
  const { labels, counts, areLists } = table;
  const show = (expected: string, given: string | null) =>
    onShow({
      columns: [
        { path: labelPaths.expected, op: "equals", value: expected },
        given === null
          ? { path: labelPaths.given, op: "empty" }
          : { path: labelPaths.given, op: "equals", value: given },
      ],
    });
  return (
    <section className={classes.card} aria-labelledby="labels">
      <h2 className={classes.title} id="labels">
        Labels
      </h2>
      <div className={classes.scroller} {...scrollable}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Expected</th>
              {labels.map(({ label }) => (
                <th key={label} scope="col" title={label}>
                  {label}
                </th>
              ))}
              <th scope="col">
                <i>{areLists ? "Nothing" : "Other"}</i>
              </th>
              <th scope="col">Precision</th>
              <th scope="col">Recall</th>
            </tr>
          </thead>
          <tbody>
            {labels.map(({ label, precision, recall }, row) => (
              <tr key={label}>
                <th scope="row" title={label}>
                  {label}
                </th>
                {(counts[row] ?? []).map((count, column) => {
                  const given = labels[column]?.label ?? null;
                  return (
                    <td
                      // The last column is that of other texts.
                      key={given === null ? "other" : `label ${given}`}
                      data-kind={count === 0 ? "none" : row === column ? "right" : "wrong"}
                    >
                      {count === 0 || areLists ? (
                        formatNumber(count)
                      ) : (
                        <button
                          type="button"
                          className={classes.cell}
                          aria-label={`Show ${formatCount(count, "line")}: expected ${label}, given ${given ?? "another text"}`}
                          onClick={() => show(label, given)}
                        >
                          {formatNumber(count)}
                        </button>
                      )}
                    </td>
                  );
                })}
                <td>{precision === null ? "–" : formatPart(precision)}</td>
                <td>{recall === null ? "–" : formatPart(recall)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Confusions table={table} />
      <p className={classes.note}>
        A row for each expected label, a column for each given one.{" "}
        {areLists
          ? "Answers are lists: a missed label counts under each label that was given instead."
          : "Select a count to see its lines."}{" "}
        Precision: of the answers that gave a label, how many were right. Recall: of the lines where it was expected,
        how many got it.
      </p>
    </section>
  );
}

/** Most labels taken for others that are listed. */
const mostConfusions = 10;

/** The labels that were expected but not given, with what was given instead. */
function Confusions({ table }: { readonly table: LabelTable }) {
  const confusions = listConfusions(table);
  if (confusions.length === 0) return null;
  const none = table.areLists ? "nothing" : "another text";
  return (
    <>
      <h3 className={classes.note}>Expected but not given → given instead</h3>
      <ol className={classes.note}>
        {confusions.slice(0, mostConfusions).map(({ expected, given, count }) => (
          <li key={JSON.stringify([expected, given])}>
            {expected} → {given ?? <i>{none}</i>}: {formatNumber(count)}
          </li>
        ))}
      </ol>
      {confusions.length > mostConfusions ? (
        <p className={classes.note}>{formatNumber(confusions.length - mostConfusions)} more are in the table above.</p>
      ) : null}
    </>
  );
}
