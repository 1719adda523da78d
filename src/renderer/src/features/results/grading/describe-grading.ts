import type { Gradable, GradeRun, Grader, GradeSummary } from "#contract";
import { formatCount, formatNumber, formatPart } from "../../../components/index.ts";

export type GraderName = Grader["name"];

/** The graders in the order in which they are offered, each with what it does in a line. */
export const graders: readonly { readonly name: GraderName; readonly label: string; readonly about: string }[] = [
  { name: "text", label: "Same text", about: "The expected text; case, spaces and punctuation don’t matter." },
  { name: "exact", label: "Exactly the same text", about: "The expected text, character by character." },
  { name: "contains", label: "Contains", about: "The expected text stands somewhere in the answer." },
  { name: "number", label: "Number", about: "The last number of the answer, or the one after ####." },
  { name: "label", label: "Label", about: "The one of the column’s values that the answer names." },
  { name: "json", label: "JSON value", about: "The value at a path of an answer in JSON." },
  { name: "regex", label: "Pattern", about: "The column has a regular expression (RE2) that the answer matches." },
  { name: "schema", label: "JSON schema", about: "The answer is valid by the schema of its own request." },
  { name: "model", label: "A model", about: "A model decides by a rubric that you write." },
];

/** What a grader is called. */
export function nameGrader({ name }: Grader): string {
  return graders.find((one) => one.name === name)?.label ?? name;
}

/** Whether the grader compares with a column: always, never, or if there is one. */
export function columnNeed(name: GraderName): "needed" | "optional" | "none" {
  if (name === "schema") return "none";
  return name === "model" ? "optional" : "needed";
}

/** What a start will do, in a sentence. */
export function describeGradingPlan(
  batches: readonly Pick<Gradable, "answers">[],
  name: GraderName,
  column: string | null,
): string {
  const answers = batches.reduce((sum, batch) => sum + batch.answers, 0);
  const where = batches.length > 1 ? ` of ${formatCount(batches.length, "batch", "batches")}` : "";
  const what = `${formatCount(answers, "answer")}${where} ${answers === 1 ? "is" : "are"}`;
  switch (name) {
    case "schema":
      return `${what} checked by the JSON schema of ${answers === 1 ? "its request" : "their requests"}, on this computer.`;
    case "model":
      return `${what} graded by the model, one request for each.`;
    default:
      return column === null
        ? "Choose the column with the expected answers."
        : `${what} compared with the column “${column}”, on this computer.`;
  }
}

/** Whose grades a start replaces; null where none has any. `shown` is the batch on screen. */
export function describeReplaced(batches: readonly Gradable[], shown: string): string | null {
  const graded = batches.filter(({ isGraded }) => isGraded);
  if (graded.length === 0) return null;
  if (graded.length === 1 && graded[0]?.batchId === shown) return "The grades of the last run are replaced.";
  const names = new Intl.ListFormat("en").format(graded.map(({ name }) => `“${name}”`));
  return `The grades of ${names} are replaced.`;
}

/** By what the answers were graded, as a part of a sentence. */
export function describeGrader({ grader, column }: GradeRun): string {
  const cell = "cell" in grader ? grader.cell : undefined;
  const several = cell === undefined ? "" : cell.as === "any" ? ", any of its values" : ", all of its values";
  const by = column === null ? "" : ` against the column “${column}”${several}`;
  switch (grader.name) {
    case "number":
      return `as numbers${by}${grader.tolerance === 0 ? "" : `, give or take ${grader.tolerance}`}`;
    case "json":
      return `by the JSON value at ${grader.path}${by}`;
    case "schema":
      return "by the JSON schema of their requests";
    case "model":
      return `by ${grader.model}${by}`;
    default:
      return `by “${nameGrader(grader)}”${by}`;
  }
}

/** `91.2%`, with its 95 % interval: `88.1% to 93.6%`. Null while nothing passed or failed. */
export function describeAccuracy({ accuracy, interval }: GradeSummary): { accuracy: string; interval: string } | null {
  if (accuracy === null || interval === null) return null;
  return { accuracy: formatPart(accuracy), interval: `${formatPart(interval[0])} to ${formatPart(interval[1])}` };
}

/**
 * What may be wrong where all failed answers failed alike, where none passed, or where the accuracy is surely lower than
 * that of a guess among the labels; null elsewhere.
 */
export function explainLowAccuracy({ grader, summary }: GradeRun): string | null {
  const { interval, labels, passed, failed, failure } = summary;
  if (failure !== null) return `All ${formatNumber(failed)} failed answers have the same problem: ${failure}`;
  const byLabels = explainByLabels(grader, labels, interval);
  if (byLabels !== null || passed > 0 || failed < 2) return byLabels;
  return "No answer passed. Open a failed line and compare the expected and the given answer. The column may have answers to another question, or in another format.";
}

function explainByLabels(
  grader: Grader,
  labels: GradeSummary["labels"],
  interval: GradeSummary["interval"],
): string | null {
  const count = labels?.labels.length ?? 0;
  if (labels === null || labels.areLists || interval === null || count < 2 || interval[1] >= 1 / count) return null;
  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
  const others = sum(labels.counts.map((row) => row.at(-1) ?? 0));
  const guess = `A guess among ${count} labels would be right in ${formatPart(1 / count)}.`;
  if (others * 2 < sum(labels.counts.map(sum))) {
    return `${guess} Most answers give another label than the expected one: the column may have the answers to another question, or those of other rows.`;
  }
  switch (grader.name) {
    case "json":
      return `${guess} Most answers have none of the labels at ${grader.path}: the value may be at another path, or written in another way.`;
    case "label":
      return `${guess} Most answers name none of the labels, or several: the prompt may ask for other words than the column has.`;
    default:
      return `${guess} Most answers are none of the labels: “JSON value” compares one field of them, and “Label” looks for the label in their text.`;
  }
}

/** What a grading came to, for screen readers. */
export function announceGrading({ summary, total }: GradeRun): string {
  return `Graded: ${formatNumber(summary.passed)} of ${formatCount(total, "line")} passed`;
}

/** What was typed as a tolerance; null where it is no number from 0 on. */
export function readTolerance(text: string): number | null {
  const trimmed = text.trim();
  return /^\d+([.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(",", ".")) : null;
}
