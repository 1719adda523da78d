import { formOf, type Verification, verdictOf } from "#contract";
import { formatDuration, nameJudge } from "../../components/index.ts";

/** The first words of the explanation when it is so (verifyResultSchema). */
const nothingChecked = "Nothing could be checked: ";

/** Why the verdict is what it is, in one or two sentences; empty where the counts are enough. */
export function explainResult({ result, strict }: Verification): string {
  const { explanation, counts } = result;
  if (formOf(counts) === "broken" && counts.contradicted === 0) return explanation;
  switch (verdictOf(counts)) {
    case "supported":
      return "";
    case "not_checkable":
      return explanation.startsWith(nothingChecked)
        ? capitalize(explanation.slice(nothingChecked.length))
        : explanation;
    case "not_found":
      return strict ? `${explanation} Verified strictly, this counts as wrong.` : explanation;
    case "contradicted":
      return explanation;
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who judged, how, and how long it took. */
export function describeRun({ choice, strict, form = true, milliseconds }: Verification): string {
  const time = milliseconds < 1 ? "under 1 ms" : formatDuration(milliseconds);
  return [nameJudge(choice), strict ? "strict" : null, form ? null : "form not checked", time]
    .filter((part) => part !== null)
    .join(", ");
}
