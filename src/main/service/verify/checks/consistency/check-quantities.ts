import { type NumberMention, numbersOf } from "../../text/numbers.ts";
import type { Finding, Range, Text } from "../../types.ts";
import { toSpan } from "./spans.ts";

/** A quantity that is given a value: "the total cost is $12". */
interface Statement {
  readonly subject: string;
  readonly number: NumberMention;
  /** From the subject to the number. */
  readonly range: Range;
}

const verb = / (?:is|was|are|were|equals|totals|comes to|amounts to)(?: (?:about|exactly|only|just|now))?:? ?$/;
const subject =
  /(?:^|[.;!?\n:,(]\s*|\b(?:so|thus|therefore|hence|and|but|that|because|since|means)\s+)((?:[a-z'’-]+ ){0,7}[a-z'’-]+)$/i;
const article = /^(?:the|its|his|her|their|my|our|your|a|an)\s+/;
/** What changes from one mention to the next, or names no one thing. */
const vague =
  /\b(?:it|this|that|these|those|he|she|they|we|i|you|there|which|who|what|each|every|one|another|other|some|new|next|first|second|third|last|remaining|rest|current|now|then|if|when|after|before|if|in|per|result|left|number|answer|value|age|price)\b/;
const changes =
  /\b(?:now|then|new|next|after|before|later|became|becomes|instead|updated|originally|previously|another|if|when|while|until|year|month|week|day|old|in|per|each|case|option|step|scenario|suppose|assume)\b/i;
/** Most words of context on either side that are searched for what changes a quantity. */
const context = 60;
const mostStatements = 200;

/** Whether one quantity is given two values: "The total is 12. … The total is 15." */
export function checkQuantities(response: Text): readonly Finding[] {
  const { text } = response;
  const known = new Map<string, Statement>();
  const findings: Finding[] = [];
  for (const statement of findStatements(response)) {
    const before = known.get(statement.subject);
    known.set(statement.subject, before ?? statement);
    if (before === undefined || isCompatible(before.number, statement.number)) continue;
    if (changes.test(around(text, before)) || changes.test(around(text, statement))) continue;
    const [first, second] = [quote(text, before.number), quote(text, statement.number)];
    const reason = `The ${statement.subject} is ${first} in one place and ${second} in another.`;
    const evidence = [toSpan(response, before.range), toSpan(response, statement.range)];
    findings.push({ check: "consistency", verdict: "contradicted", range: statement.range, reason, evidence });
  }
  return findings;
}

function findStatements(response: Text): readonly Statement[] {
  const { text } = response;
  const statements: Statement[] = [];
  for (const number of numbersOf(response)) {
    if (statements.length === mostStatements) break;
    if (number.kind === "ordinal" || continues(text, number)) continue;
    const before = text.slice(Math.max(0, number.start - 90), number.start);
    const said = verb.exec(before);
    if (said === null) continue;
    const words = subject.exec(before.slice(0, said.index))?.[1];
    const name = words?.toLowerCase().replace(article, "");
    if (words === undefined || name === undefined || name.length < 3 || vague.test(name)) continue;
    const start = number.start - before.length + said.index - words.length;
    statements.push({ subject: name, number, range: { start, end: number.end } });
  }
  return statements;
}

/** Whether the number only begins an expression or a comparison. */
function continues(text: string, { end }: Range): boolean {
  return /^\s?[a-z]*\s?(?:[-+*/x×÷=^–−<]|times|plus|minus|more|less|fewer|of\b|out\b|percent of|% of|to\b|and\b|or\b)/i.test(
    text.slice(end, end + 24),
  );
}

function isCompatible(a: NumberMention, b: NumberMention): boolean {
  if (a.isPercent !== b.isPercent || a.currency !== b.currency || a.unit?.unit !== b.unit?.unit) return true;
  return Math.abs(a.value - b.value) <= Math.max(a.step, b.step, 0.005 * Math.abs(a.value));
}

/** The sentence parts around a statement. */
function around(text: string, { range }: Statement): string {
  const start = Math.max(
    text.lastIndexOf("\n", range.start),
    text.lastIndexOf(". ", range.start),
    range.start - context,
  );
  const rest = text.slice(range.end, range.end + context);
  const stop = rest.search(/[.\n](?:\s|$)/);
  return `${text.slice(start + 1, range.start)} ${stop < 0 ? rest : rest.slice(0, stop)}`;
}

function quote(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
