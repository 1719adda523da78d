import type { BatchDetail, Problem, ProblemGroup } from "#contract";
import { CopyButton, formatCount, formatNumber, scrollable } from "../../../components/index.ts";
import { titleOfProblem } from "./problem-titles.ts";
import classes from "./problems-tab.module.css";

/** Why a batch failed: everything that is wrong with its file, by kind, each with its lines. */
export function ProblemsTab({ batch }: { readonly batch: BatchDetail }) {
  return (
    <div className={classes.root} {...scrollable}>
      <div className={classes.lead}>
        <p className={classes.text}>
          Nothing ran, because the file has {formatCount(batch.problemCount, "problem")}. Mend the lines below and
          submit the file again: a batch runs only when every line of its file is valid.
        </p>
        <CopyButton
          label="Copy problems"
          value={() => batch.problems.flatMap(({ first }) => first.map(writeProblem)).join("\n")}
        />
      </div>
      {batch.problems.map((group) => (
        <Group key={group.code} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: ProblemGroup }) {
  const left = group.count - group.first.length;
  return (
    <section className={classes.group} aria-label={titleOfProblem(group.code)}>
      <h2 className={classes.title}>
        {titleOfProblem(group.code)}
        <span className={classes.count}>{formatNumber(group.count)}</span>
        <code className={classes.code}>{group.code}</code>
      </h2>
      <ul className={classes.list}>
        {group.first.map((problem) => (
          <li key={`${problem.line} ${problem.param} ${problem.message}`} className={classes.problem}>
            <span className={classes.line}>
              {problem.line === null ? "File" : `Line ${formatNumber(problem.line)}`}
            </span>
            <span className={classes.message}>{problem.message}</span>
            {problem.param === null ? null : <code className={classes.param}>{problem.param}</code>}
          </li>
        ))}
        {left > 0 ? <li className={classes.more}>and {formatCount(left, "more line")} like these</li> : null}
      </ul>
    </section>
  );
}

function writeProblem({ line, code, message }: Problem): string {
  return line === null ? `${code}: ${message}` : `line ${line}: ${code}: ${message}`;
}
