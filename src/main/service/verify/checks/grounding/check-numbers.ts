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
  if (isLoose(context, said)) return null;
  const range = { start: said.start, end: unitEnd(said) };
  const shown = quote(context.answer.text.text.slice(range.start, range.end));
  const reason = `${context.subject} doesn't mention ${shown}`;
  const other = findOnlyOther(context, said);
  if (other === null) return createFinding("contradicted", range, `${reason}.`);
  const { source, text } = context.evidence.source.text;
  const span = { source, start: other.start, end: unitEnd(other), text: text.slice(other.start, unitEnd(other)) };
  return createFinding("contradicted", range, `${reason}; it has ${quote(span.text)}.`, [span]);
}

/** Among more numbers, none is likely to be the only one of its kind. */
const mostCompared = 300;

/** The number of the passage that is of the same kind, where it has only one. */
function findOnlyOther({ numbers }: Context, said: NumberMention): NumberMention | null {
  if (numbers.length > mostCompared) return null;
  const others = numbers.filter((number) => isSameKind(number, said));
  const [first] = others;
  return first && others.every(({ value }) => value === first.value) ? first : null;
}

function isSameKind(a: NumberMention, b: NumberMention): boolean {
  if (isYear(a) || isYear(b)) return isYear(a) && isYear(b);
  return (
    a.kind === b.kind &&
    a.isPercent === b.isPercent &&
    a.currency === b.currency &&
    a.unit?.unit.name === b.unit?.unit.name
  );
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
