import type { BatchDetail, Problem, ProblemCode, ProblemGroup } from "#contract";
import { CopyButton, formatCount, formatNumber, scrollable } from "../../../components/index.ts";
import classes from "./problems-tab.module.css";

/** What each code means for the person who corrects the file, as a heading. */
const titles: Record<ProblemCode, string> = {
  invalid_json_line: "Lines that are not JSON objects",
  missing_required_parameter: "Something required is missing",
  invalid_type: "A value has the wrong type",
  duplicate_custom_id: "The same custom_id more than once",
  invalid_method: "A method other than POST",
  invalid_url: "A URL other than the batch’s endpoint",
  model_not_found: "A model that is not known here",
  invalid_request: "A request that would be refused",
  streaming_unsupported: "Streaming, which a batch can’t do",
  context_length_exceeded: "A prompt longer than the model’s context",
  max_output_exceeded: "An answer longer than the tier allows",
  file_damaged: "The file is damaged on disk",
  file_unreadable: "The file can’t be read",
  injected_fault: "Failed on purpose, as its client asked",
  empty_file: "There is no request in the file",
  too_many_requests_in_file: "Too many requests in one file",
  file_too_large: "The file is too large",
  line_too_large: "Lines that are too large",
  too_many_problems: "More problems than are listed",
  invalid_row: "Rows that can’t be read",
  formula_without_value: "Formulas without a value",
  failed_formula: "Formulas with an error",
  rounded_number: "Numbers with more digits than spreadsheets have",
  hidden_rows: "Hidden rows",
  text_as_condition: "A text in a condition",
  template_error: "A mistake in the prompt",
  unknown_column: "A column that the table does not have",
  empty_value: "Empty values",
  no_prompt: "No prompt yet",
  picture_not_allowed: "Pictures that may not be sent",
  picture_unreadable: "Pictures that can’t be sent",
  invalid_parameter: "A parameter that can’t be used",
};

/** Why a batch failed: everything that is wrong with its file, by kind, each with its lines. */
export function ProblemsTab({ batch }: { readonly batch: BatchDetail }) {
  return (
    <div className={classes.root} {...scrollable}>
      <div className={classes.lead}>
        <p className={classes.text}>
          Nothing ran, because the file has {formatCount(batch.problemCount, "problem")}. Correct the lines below and
          submit the file again: a batch runs only when every line of its file is valid.
        </p>
        <CopyButton
          label="Copy problems"
          value={() => batch.problems.flatMap(({ first }) => first.map(writeProblem)).join("\n")}
        />
      </div>
      {batch.problems.map((group) => (
        <Group key={`${group.code} ${group.first[0]?.message}`} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: ProblemGroup }) {
  const left = group.count - group.first.length;
  return (
    <section className={classes.group} aria-label={titles[group.code]}>
      <h2 className={classes.title}>
        {titles[group.code]}
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
