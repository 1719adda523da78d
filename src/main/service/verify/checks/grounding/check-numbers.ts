import type { NumberMention } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { isYear } from "./numbers.ts";

/** Every number in the response has to stand in the evidence or in the question, or to follow from what stands there. */
export function checkNumbers(context: Context): readonly Finding[] {
  return context.answer.numbers.flatMap(({ mention, isInPassage, isAsked }) =>
    isInPassage || isAsked ? [] : (checkNumber(context, mention) ?? []),
  );
}

function checkNumber(context: Context, said: NumberMention): Finding | null {
  if (isLoose(context, said) || isDerived(context, said)) return null;
  const range = { start: said.start, end: unitEnd(said) };
  const shown = quote(context.answer.text.text.slice(range.start, range.end));
  return createFinding("contradicted", range, `${context.subject} doesn't mention ${shown}.`);
}

function unitEnd(number: NumberMention): number {
  return number.unit?.end ?? number.end;
}

/** Small numbers in words count what is talked about ("the two bands"), or set it off ("the second"): a claim only where the text counts the same. */
function isLoose(context: Context, said: NumberMention): boolean {
  if (!said.isWord || said.value > 3 || said.value < 0 || said.isPercent || said.currency !== null || said.unit)
    return false;
  if (said.value === 1) return true;
  if (context.question.kind === "how-many" && said.kind === "cardinal") return false;
  const next = wordAfter(context.answer.text.text, said.end);
  const { text } = context.evidence.source.text;
  return (
    next === "" || !context.numbers.some((number) => number.kind === said.kind && wordAfter(text, number.end) === next)
  );
}

function wordAfter(text: string, end: number): string {
  return /^[\s-]+(\p{L}{3,24})/u.exec(text.slice(end, end + 30))?.[1]?.toLowerCase() ?? "";
}

const differs =
  /\b(older|younger|later|earlier|after|before|apart|difference|age|aged|old|years?|lasted|more|less|fewer|total|combined|altogether|sum|gap|longer|shorter|taller|higher|lower|larger|smaller|between|span|spanned|period|duration)\b/i;
const mostPairs = 60;

/** The difference or the sum of two numbers of the text, where the response speaks of one. */
function isDerived(context: Context, said: NumberMention): boolean {
  const known = context.numbers;
  const { text } = context.answer.text;
  if (known.length < 2 || known.length > mostPairs) return false;
  if (isYear(said) || !differs.test(text.slice(Math.max(0, said.start - 60), said.end + 40))) return false;
  for (const a of known) {
    for (const b of known) {
      if (a === b || a.kind !== "cardinal" || b.kind !== "cardinal" || isYear(a) !== isYear(b)) continue;
      const gap = a.value - b.value;
      if (
        gap === said.value ||
        (isYear(a) && gap - 1 === said.value) ||
        (!isYear(a) && a.value + b.value === said.value)
      )
        return true;
    }
  }
  return false;
}
