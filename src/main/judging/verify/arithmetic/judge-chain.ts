import type { Range } from "../types.ts";
import { agree, type Surroundings } from "./agree.ts";
import { describeRun, formatNumber } from "./describe.ts";
import { evaluate } from "./expression.ts";
import type { Chain, Member } from "./find-chains.ts";
import type { Run } from "./parse.ts";
import type { Token } from "./tokens.ts";

/** The result of a chain of equal expressions. */
export interface Judged {
  readonly verdict: "supported" | "contradicted";
  readonly range: Range;
  readonly reason: string;
  /** The value that is wrong. Null where all is right. */
  readonly wrong: Range | null;
}

/** Judges the neighbours in a chain. Null where nothing is certain: a single number, algebra, a range ("3-4"). */
export function judgeChain(
  text: string,
  tokens: readonly Token[],
  chain: Chain,
  exact: Map<number, number>,
): Judged | null {
  const range = { start: startOf(tokens, chain), end: endOf(tokens, chain) };
  const mayRoundUp = saysRounding(text, range);
  let last: string | null = null;
  for (const [index, left] of chain.members.entries()) {
    const right = chain.members[index + 1];
    if (right === undefined) break;
    if (!isCheckable(tokens, left, right)) continue;
    const surroundings = { exact, mayRoundUp, isRough: right.isRough };
    const isRight =
      agree(left.run, right.run, surroundings) || isRunning(left, right, chain.members[index + 2], surroundings);
    const words = describePair(text, tokens, left.run, right.run);
    if (isRight) {
      last = `${words.left} is ${words.right}.`;
      recordExact(exact, left.run, right.run);
      continue;
    }
    if (isUncertain(tokens, chain, left, right) || isQuoted(text, range)) continue;
    const shown = shownSide(left.run, right.run);
    return { verdict: "contradicted", range, reason: words.wrong, wrong: rangeOf(tokens, shown) };
  }
  return last === null ? null : { verdict: "supported", range, reason: last, wrong: null };
}

function isCheckable(tokens: readonly Token[], left: Member, right: Member): boolean {
  if (left.isOpen || right.isOpen) return false;
  const runs = [left.run, right.run];
  // An ordinal is no operand; a result may be one.
  const operands = right.run.hasOperator ? runs : [left.run];
  if (operands.some(({ literals }) => literals.some(({ token }) => token.isOrdinal))) return false;
  if (!runs.some(({ hasOperator }) => hasOperator)) return false;
  if (runs.some(({ hasVariable }) => hasVariable) || hasUnknownLetters(runs)) return false;
  if (!right.isAfterVerb) return true;
  // Without an equals sign "3-4 is …" and "9/11 was …" are ranges, scores and dates.
  return (
    right.run.literals.length === 1 && !right.run.hasOperator && left.run.isSpaced && !continues(tokens, right.run.next)
  );
}

/** After a verb a number may be only the beginning: "5 + 3 is 2 more than 6". */
function continues(tokens: readonly Token[], next: number): boolean {
  for (let at = next; at < next + 3; at += 1) {
    const token = tokens[at];
    if (token === undefined) return false;
    if (token.kind === "operator" || token.kind === "number" || token.kind === "other") return true;
    if (token.kind !== "word") return false;
    if (/^(?:more|less|fewer|or|to|out|times|short|away|and|greater|higher|lower|percent)$/.test(token.word))
      return true;
  }
  return false;
}

/** What disagrees but may not have been meant as an equation. */
function isUncertain(tokens: readonly Token[], chain: Chain, left: Member, right: Member): boolean {
  const runs = [left.run, right.run];
  if (runs.some(({ literals }) => literals.some(({ token }) => token.hasSpaces))) return true;
  if (isOtherScale(left, right) || isCarriedOn(tokens, left, right)) return true;
  if (isRangeLike(tokens, left, right) || isHeading(tokens, chain, left, right)) return true;
  return (
    right.isAfterVerb &&
    right.run.literals.some(
      ({ token, isPercent }) =>
        token.isFraction || (isPercent && !left.run.literals.some((literal) => literal.isPercent)),
    )
  );
}

/** In "3 * 0.8 = 2.4 billion", all numbers are billions, and only the result names that. */
function isOtherScale({ run: left }: Member, { run: right }: Member): boolean {
  const [shown, ...others] = right.literals;
  if (shown === undefined || others.length > 0 || left.literals.some(({ token }) => token.scale > 1)) return false;
  const { scale, step } = shown.token;
  const difference = Math.abs(evaluate(left.expression, "plain") - shown.value / scale);
  return scale > 1 && difference <= Math.max(step / scale / 2, 1e-9);
}

/** In "5+1=6 times $5", the equation ends at 6, and the sentence multiplies its result. */
function isCarriedOn(tokens: readonly Token[], left: Member, { run: right }: Member): boolean {
  const [begins] = right.literals;
  const operator = tokens[right.first + 1];
  if (begins === undefined || operator?.kind !== "operator" || !operator.isWord) return false;
  return agree(
    left.run,
    { expression: begins, literals: [begins] },
    { exact: new Map(), mayRoundUp: false, isRough: false },
  );
}

/** A number before the first equals sign is often not part of the equation: "16 students drank 2 quarts = 16 × 2 = 32". */
function isHeading(tokens: readonly Token[], { members }: Chain, left: Member, right: Member): boolean {
  if (left !== members[0] || left.run.hasOperator) return false;
  const isNext = tokens[left.run.next]?.kind === "equals";
  return !isNext || members.length > 2 || right.run.literals.some(({ isPercent }) => isPercent);
}

/** "3-4 = three to four", "pages 24-38 = 15 pages": a range, from the lesser number to the greater, joined without spaces. */
function isRangeLike(tokens: readonly Token[], left: Member, right: Member): boolean {
  const { literals, first, next } = left.run;
  const [from, to] = literals;
  const [shown] = right.run.literals;
  const sign = tokens[first + 1];
  if (literals.length !== 2 || next - first !== 3 || sign?.kind !== "operator" || sign.operator !== "-") return false;
  if (sign.isSpaced || from === undefined || to === undefined || shown === undefined) return false;
  // "The 2018-19 season"
  if (from.value >= 1_900 && from.value < 2_100 && (from.value + 1) % 100 === to.value) return true;
  if (from.value >= to.value) return false;
  if (shown.token.isWord || right.isAfterVerb) return true;
  const length = to.value - from.value;
  return isCounted(tokens[first - 1]) && (shown.value === length || shown.value === length + 1);
}

/** "Pages", "days", "from": what a range may follow. */
function isCounted(before: Token | undefined): boolean {
  if (before?.kind !== "word") return false;
  return (
    /^(?:from|between|aged|[a-z]{2,}(?:[^s]s))$/.test(before.word) && !/^(?:is|was|has|leaves|gets)$/.test(before.word)
  );
}

/**
 * Letters after digits must be units. A single one could also be a variable ("2m + 3"): it is a unit only where the
 * result has a unit of its dimension, or every number has the same letter.
 */
function hasUnknownLetters(runs: readonly Run[]): boolean {
  const all = runs.flatMap(({ literals }) => literals);
  const lettered = all.filter(({ token }) => token.letters !== "");
  if (lettered.some(({ unit }) => unit === null)) return true;
  const single = lettered.filter(({ token }) => token.letters.length === 1);
  if (single.length === 0 || (single.length === all.length && new Set(single.map(({ unit }) => unit)).size === 1))
    return false;
  if (runs.at(-1)?.hasOperator) return true;
  const shown = runs.at(-1)?.literals[0]?.unit;
  return single.some(({ unit }) => unit?.dimension !== shown?.dimension);
}

/** "5 + 3 = 8 × 2 = 16", where each result is carried on: the next expression begins with it, and is judged by what comes after. */
function isRunning(left: Member, right: Member, after: Member | undefined, surroundings: Surroundings): boolean {
  const [begins] = right.run.literals;
  if (after === undefined || begins === undefined || right.run.literals.length < 2 || begins.token.letters !== "")
    return false;
  return agree(left.run, { expression: begins, literals: [begins] }, surroundings);
}

/** Keeps the unrounded value of a result by how it is written, for where it is carried on. */
function recordExact(exact: Map<number, number>, left: Run, right: Run): void {
  const [shown] = right.literals;
  if (right.hasOperator || shown === undefined || shown.isPercent) return;
  const value = evaluate(left.expression, "hundredths");
  if (value !== shown.value && Math.abs(value - shown.value) < 1) exact.set(shown.value, value);
}

const disowned =
  /(?:\b(?:not (?:true|that|equal|correct|the case)|isn['’]t|incorrect|wrong|mistake|false|error|claims?|claimed|myth|instead of|rather than)\b[^,;:.\n]*|\b(?:not|if|suppose|whether|assume)\s)$/i;
const disownedAfter = /^\s*(?:\?|(?:is|was|were|would be) (?:wrong|incorrect|false|not|a mistake|true))/i;

/** Whether the text names the equation without saying that it holds: "it is not true that 2 + 2 = 5", "is 7 × 8 = 54?". */
function isQuoted(text: string, { start, end }: Range): boolean {
  return disowned.test(text.slice(Math.max(0, start - 60), start)) || disownedAfter.test(text.slice(end, end + 24));
}

/** Rounding is said within the sentence, or nearly. */
function saysRounding(text: string, { start, end }: Range): boolean {
  return /\b(?:round|whole|at least|need|ceil)/i.test(text.slice(Math.max(0, start - 80), end + 60));
}

function describePair(text: string, tokens: readonly Token[], left: Run, right: Run) {
  const [of, shown] = left.hasOperator ? [left, right] : [right, left];
  const symbol = currencyOf(text, tokens, shown);
  const percent = shown.literals[0]?.isPercent === true && !shown.hasOperator;
  const value = evaluate(
    of.expression,
    of.literals.some(({ isPercent }) => isPercent) && percent ? "plain" : "hundredths",
  );
  const is =
    percent && !of.literals.some(({ isPercent }) => isPercent)
      ? `${formatNumber(value * 100)}%`
      : `${formatNumber(value, symbol)}${percent ? "%" : ""}`;
  const words = { left: describeRun(text, tokens, of), right: describeRun(text, tokens, shown) };
  return { ...words, wrong: `${words.left} is ${is}, not ${words.right}.` };
}

function currencyOf(text: string, tokens: readonly Token[], { first }: Run): string {
  const token = tokens[first];
  return token?.kind === "currency" ? text.slice(token.start, token.end).replace("\\", "") : "";
}

/** The side that is a plain number; the right one where both or neither are. */
function shownSide(left: Run, right: Run): Run {
  return right.hasOperator && !left.hasOperator ? left : right;
}

function startOf(tokens: readonly Token[], { members }: Chain): number {
  return rangeOf(tokens, members[0]?.run).start;
}

function endOf(tokens: readonly Token[], { members }: Chain): number {
  return rangeOf(tokens, members.at(-1)?.run).end;
}

/** Where a run is in the text. */
function rangeOf(tokens: readonly Token[], run: Run | undefined): Range {
  const start = run === undefined ? 0 : (tokens[run.first]?.start ?? 0);
  return { start, end: run === undefined ? start : (tokens[run.next - 1]?.end ?? start) };
}
