import type { Finding, Range } from "../../types.ts";
import { checkSeveral } from "./check-several.ts";
import { checkUnoffered } from "./check-unoffered.ts";
import { compareOptions, type Decision } from "./compare-options.ts";
import { type Context, createFinding } from "./context.ts";
import { findChosen } from "./find-chosen.ts";
import { findConcluded, tellsOfAnother } from "./find-concluded.ts";
import { findIndirect } from "./find-indirect.ts";
import { readManner } from "./numbers.ts";

/** Of two that a question names, the response has to choose the one that the passage speaks for. */
export function checkChoice(context: Context): readonly Finding[] {
  const { question, answer } = context;
  if (question.options === null || question.kind === "yes-no" || answer.isAbstaining) return [];
  const several = checkSeveral(context);
  if (several.length > 0) return several;
  const chosen = findConcluded(context) ?? findChosen(context) ?? findIndirect(context);
  if (chosen === null) return checkUnoffered(context);
  if (tellsOfAnother(context, chosen)) return [];
  const decision = compareOptions(context);
  if (decision === null || decision.winner === null) return [];
  const gap = findWrongGap(context, decision);
  const range = gap ?? {
    start: answer.words[chosen.from]?.start ?? 0,
    end: answer.words[chosen.to - 1]?.end ?? 0,
  };
  const isRight = gap === null && chosen.option === decision.winner;
  return [createFinding(isRight ? "supported" : "contradicted", range, decision.reason, decision.evidence)];
}

const compares = /^\W{0,3}(older|younger|earlier|later|before|after)\b/i;

/** "Two years younger", where the years of the two are eight apart. A birthday may make it one more or less. */
function findWrongGap({ answer }: Context, { years }: Decision): Range | null {
  if (years === null) return null;
  const { text } = answer.text;
  const wrong = answer.numbers.find(({ mention }) => {
    const { unit, value } = mention;
    if (unit?.unit.name !== "yr" || readManner(text, mention) !== "exact") return false;
    return compares.test(text.slice(unit.end, unit.end + 12)) && Math.abs(value - years) > 1;
  });
  return wrong ? { start: wrong.mention.start, end: wrong.mention.unit?.end ?? wrong.mention.end } : null;
}
