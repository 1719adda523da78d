import type { DocumentChoice, JudgeChoice, VerificationRun } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";

/** What a start will do, in a sentence or two. */
export function describePlan(answers: number, { judge, model }: JudgeChoice, document: DocumentChoice): string {
  const what = formatCount(answers, "answer");
  const is = answers === 1 ? "is" : "are";
  const against = `against ${answers === 1 ? "its prompt" : "their prompts"}${describeDocument(document)}`;
  if (judge === "rules") return `${what} ${is} checked ${against}, on this computer. The result is the same each time.`;
  if (model === null) return `${what} ${is} checked ${against}. Choose the model that judges.`;
  return judge === "model"
    ? `${what} ${is} checked ${against}: ${model} is asked about each, at least ${formatCount(answers, "request")}.`
    : `${what} ${is} checked ${against}: by rules first, then ${model} is asked about everything else.`;
}

/** What the answers are checked against besides their prompts, as the end of a sentence. */
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
  return judge === "model" ? `by ${model}` : `by rules and ${model}`;
}

/** How many of the answers count as wrong, and why. */
export function describeWrong({ counts, form, done, strict }: VerificationRun): string {
  const wrong = counts.contradicted + (strict ? counts.not_found : 0);
  const [are, count] = wrong === 1 ? ["is", "counts"] : ["are", "count"];
  const broken = form.broken === 0 ? "" : ` ${formatNumber(form.broken)} without the requested form.`;
  const why = strict ? "contradicted or not in the document" : "contradicted";
  return `${formatNumber(wrong)} of ${formatCount(done, "answer")} ${are} ${why} and ${count} as wrong${strict ? " (strict)" : ""}.${broken}`;
}

/** How many answers a model was to judge and didn't, with the most frequent reason; null where there is none. */
export function describeRulesAlone({ rulesAlone, done }: VerificationRun): string | null {
  const [first] = rulesAlone;
  if (first === undefined) return null;
  const count = rulesAlone.reduce((sum, each) => sum + each.count, 0);
  const were = count === 1 ? "was" : "were";
  return `${formatNumber(count)} of ${formatCount(done, "answer")} ${were} judged by rules alone: ${first.problem}.`;
}

/** Of how many answers rules and model disagree. */
export function describeDisagreements({ disagreements, done }: VerificationRun): string {
  const count = disagreements === 0 ? "no answer" : `${formatNumber(disagreements)} of ${formatCount(done, "answer")}`;
  return `Rules and model disagree about ${count}.`;
}

/** What a verification came to, for screen readers. */
export function announceVerification(run: VerificationRun): string {
  const { counts, total } = run;
  const found = `${formatNumber(counts.contradicted)} contradicted, ${formatNumber(counts.not_found)} not in the document`;
  const alone = describeRulesAlone(run);
  return `Verified: ${found} in ${formatCount(total, "answer")}${alone === null ? "" : `. ${alone}`}`;
}
