import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRulerMeasure } from "@tabler/icons-react";
import { useState } from "react";
import {
  type Grade,
  type GradeRun,
  gradeSchema,
  type LabelConfusion,
  type LabelTable,
  listConfusions,
} from "#contract";
import { formatCount, formatNumber, formatPart, GradeBadge, scrollable } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { describeDone } from "../tabs/run-status.tsx";
import classes from "../tabs/run-summary.module.css";
import { Confusions, confusionFilter } from "./confusions.tsx";
import { describeAccuracy, describeGrader, explainLowAccuracy } from "./describe-grading.ts";
import grades from "./grades-tab.module.css";
import { RightByGroup } from "./right-by-group.tsx";
import { WrongRows } from "./wrong-rows.tsx";

/** What the grading of a batch came to: how often the answers are right, and for labels which are taken for which. */
export function GradesTab({ run }: { readonly run: GradeRun }) {
  const { onShow, onGrade } = useResults();
  const { summary } = run;
  const { labels } = summary;
  const counts: Record<Grade, number> = {
    pass: summary.passed,
    fail: summary.failed,
    no_answer: summary.noAnswer,
    no_expected: summary.noExpected,
  };
  const accuracy = describeAccuracy(summary);
  const doubt = run.state === "running" ? null : explainLowAccuracy(run);
  const leftOut = nameLeftOut(run);
  return (
    <div className={`${classes.root} ${grades.root}`} {...scrollable}>
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
      <section className={grades.figures} aria-label="Accuracy">
        {accuracy === null ? (
          <span className={classes.soft}>Nothing passed or failed{run.state === "running" ? " so far" : ""}.</span>
        ) : (
          <span>
            <b>{accuracy.accuracy}</b> right, 95% interval {accuracy.interval}
          </span>
        )}
        {gradeSchema.options
          .filter((grade) => counts[grade] > 0)
          .map((grade) => (
            <button
              key={grade}
              type="button"
              aria-label={`Show lines: ${formatNumber(counts[grade])} ${words[grade]}`}
              onClick={() => onShow({ grades: [grade] })}
            >
              <GradeBadge grade={grade} isIcon /> {formatNumber(counts[grade])} {words[grade]}
            </button>
          ))}
      </section>
      {doubt === null ? null : (
        <p className={classes.doubt}>
          <IconAlertTriangle size={16} aria-hidden />
          {doubt}
        </p>
      )}
      <Details run={run} />
      {leftOut === null ? null : <p className={classes.note}>{leftOut}</p>}
      {labels === null || labels.labels.length === 0 || labels.labels.length > mostInTable ? null : (
        <Labels table={labels} />
      )}
    </div>
  );
}

const words: Readonly<Record<Grade, string>> = {
  pass: "right",
  fail: "wrong",
  no_answer: "no answer",
  no_expected: "without an expected answer",
};

/** Labels that a table with a column for each has room for. */
const mostInTable = 20;

/** Why a part about labels is not shown; null where it is shown, or where nothing could be in it. */
function nameLeftOut({ column, grader, summary: { labels, failed } }: GradeRun): string | null {
  if (labels === null) {
    const isLabel = column !== null && failed > 0 && !("cell" in grader && grader.cell !== undefined);
    return isLabel ? "Confused labels are listed for columns with at most 100 different values." : null;
  }
  const count = labels.labels.length;
  return count > mostInTable
    ? `Precision and recall have no table here: it has room for ${mostInTable} labels, and these are ${count}.`
    : null;
}

/** Lists confused labels. Beside them are the rows of the chosen pair, and the accuracy by group. */
function Details({ run }: { readonly run: GradeRun }) {
  const { labels, failed } = run.summary;
  const [chosen, setChosen] = useState<LabelConfusion | null>(null);
  const confusions = labels === null ? [] : listConfusions(labels);
  const selected = confusions.find((one) => isSame(one, chosen)) ?? confusions[0] ?? null;
  const isPaired = labels !== null && !labels.areLists && selected !== null;
  return (
    <div className={grades.grid} data-single={confusions.length === 0 || undefined}>
      {labels === null || confusions.length === 0 ? null : (
        <Confusions table={labels} confusions={confusions} selected={isPaired ? selected : null} onSelect={setChosen} />
      )}
      <div className={grades.column}>
        {failed === 0 ? null : (
          <WrongRows
            // Another pair begins at its first rows.
            key={JSON.stringify(isPaired ? selected : null)}
            title={isPaired ? `${selected.expected} → ${selected.given ?? "another text"}` : "Wrong answers"}
            count={isPaired ? selected.count : failed}
            filter={isPaired ? confusionFilter(selected) : { grades: ["fail"] }}
          />
        )}
        <RightByGroup expected={run.column} />
      </div>
    </div>
  );
}

const isSame = (one: LabelConfusion, other: LabelConfusion | null) =>
  one.expected === other?.expected && one.given === other.given;

/** Which label was expected and which was given, how often; right ones on the diagonal. A count leads to its lines. */
function Labels({ table }: { readonly table: LabelTable }) {
  const { onShow } = useResults();
  const { labels, counts, areLists } = table;
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
                          onClick={() => onShow(confusionFilter({ expected: label, given }))}
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
