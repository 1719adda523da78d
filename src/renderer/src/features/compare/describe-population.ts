import type { Comparison } from "#contract";
import { formatCount, formatNumber, formatPart, letterOf } from "../../components/index.ts";

/** Names the lines that the figures count, how many answers are the same, and the test behind p. */
export function describePopulation(comparison: Comparison, batches: number, baseline: number): string {
  const { lines, answered, same, by, pairs, batches: sides } = comparison;
  const all = batches === 2 ? "both" : `all ${batches}`;
  const what = by === "answer" ? "The same answer" : `The same ${by.slice("answer.".length)}`;
  const alike =
    answered === 0
      ? ` No line is answered by ${all} yet.`
      : ` ${what} from ${all} in ${formatNumber(same)} of ${formatNumber(answered)} that ${all} answered (${formatPart(same / answered)}).`;
  const isGraded = sides.some(({ grades }) => grades !== null);
  const lacking = sides.flatMap((_, place) =>
    place === baseline || pairs.some((pair) => pair.place === place) ? [] : [letterOf(place)],
  );
  const chance =
    pairs.length === 0
      ? ""
      : ` p by McNemar’s exact test on lines that both answered${pairs.length > 1 ? `, corrected for ${pairs.length} pairs (Holm)` : ""}.`;
  const ungraded =
    !isGraded || lacking.length === 0
      ? ""
      : ` Grade ${lacking.join(", ")} and ${letterOf(baseline)} by the same grader and column to see who wins.`;
  return `Figures of ${formatCount(lines, "line")} that ${all} have.${alike}${chance}${ungraded}`;
}
