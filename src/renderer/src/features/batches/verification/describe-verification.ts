import type { DocumentChoice, JudgeChoice, JudgeName, VerificationRun } from "#contract";
import { formatCount, formatNumber, formatRate, formatTimeLeft, shortModelName } from "../../../components/index.ts";

/** The judges in the order in which they are offered. */
export const judges: readonly { readonly value: JudgeName; readonly label: string; readonly description: string }[] = [
  {
    value: "rules",
    label: "Rules",
    description:
      "Sums, numbers, dates, names and quotations, and the form that the prompt asks for. No model, no network.",
  },
  {
    value: "both",
    label: "Rules, then a model",
    description: "Rules judge sums, quotations and the form; the model is asked about everything else.",
  },
  { value: "model", label: "Model", description: "The model judges every sentence; it is told what the rules found." },
];

/** What a start will do, in a sentence or two. */
export function describePlan(answers: number, { judge, model }: JudgeChoice, document: DocumentChoice): string {
  const what = formatCount(answers, "answer");
  const is = answers === 1 ? "is" : "are";
  const against = `against ${answers === 1 ? "its prompt" : "their prompts"}${describeDocument(document)}`;
  if (judge === "rules") return `${what} ${is} checked ${against}, on this computer. The result is the same each time.`;
  if (model === null) return `${what} ${is} checked ${against}. Choose the model that judges.`;
  const name = shortModelName(model);
  return judge === "model"
    ? `${what} ${is} checked ${against}: ${name} is asked about each, at least ${formatCount(answers, "request")}.`
    : `${what} ${is} checked ${against}: by rules first, then ${name} is asked where they leave something open.`;
}

/** What the answers are held against beside their prompts, as the end of a sentence. */
export function describeDocument(document: DocumentChoice): string {
  switch (document.from) {
    case "none":
      return "";
    case "system_message":
      return ", with the system message as the document";
    case "column":
      return `, with the column “${document.column}” as the document`;
  }
}

/** Who judged, as a part of a sentence. */
export function describeJudge({ judge, model }: JudgeChoice): string {
  if (judge === "rules" || model === null) return "by rules";
  return judge === "model" ? `by ${shortModelName(model)}` : `by rules and ${shortModelName(model)}`;
}

/** `412 of 1,319 answers`. */
export function describeDone({ done, total }: Pick<VerificationRun, "done" | "total">): string {
  return `${formatNumber(done)} of ${formatCount(total, "answer")}`;
}

/** Rate and time left, while it runs. */
export function describeRunPace({ rate, timeLeft }: Pick<VerificationRun, "rate" | "timeLeft">): string {
  const parts = [
    rate === null ? null : `${formatRate(rate)} answers/s`,
    timeLeft === null ? null : `${formatTimeLeft(timeLeft)} left`,
  ];
  return parts.filter((part) => part !== null).join("  ·  ");
}

/** For screen readers: changes with the state and, while it runs, at each quarter. */
export function announceRun({ state, done, total, counts }: VerificationRun): string {
  switch (state) {
    case "running": {
      const quarter = total === 0 ? 0 : Math.floor((done / total) * 4) * 25;
      return quarter === 0 ? "Verifying answers" : `Verifying answers, ${quarter}%`;
    }
    case "stopped":
      return "The verification is stopped";
    case "failed":
      return "The verification could not go on";
    case "done":
      return `Verified: ${formatNumber(counts.contradicted)} of ${formatCount(total, "answer")} contradicted`;
  }
}
