import { remember } from "../../remember.ts";
import type { Range, Text } from "../../types.ts";
import { evaluate } from "./expression.ts";
import { type Chain, findChains, skipToOperand } from "./find-chains.ts";
import { rangeOf } from "./judge-chain.ts";
import { readExpression } from "./parse.ts";
import { tokenize } from "./tokenize.ts";
import type { Token } from "./tokens.ts";

/** What a text calculates, read once. */
export interface Calculations {
  readonly tokens: readonly Token[];
  readonly chains: readonly Chain[];
}

/** What a step of a calculation comes to. */
export interface StepResult {
  readonly value: number;
  /** What its last digit counts. */
  readonly step: number;
  readonly isPercent: boolean;
  /** Where the number stands. */
  readonly shown: Range;
}

/**
 * What every equation has that can be judged: a sign for "equals", or an operator between spaces or in words, which a verb may
 * follow. Most prose has none of it: "1844–1846" and "and/or" are no sums.
 */
const hint =
  /[=≈≅≃＝]|\\[a-z]| [+*×÷/] |\d [−–-] [$\d]|\b(?:plus|minus|times|divided|multiplied|twice|thrice|double|triple|squared|cubed)\b|(?:%|percent|half|thirds?|quarters?|fourths?|fifths?|tenths?) of\b/i;

/** The equations of a text. Several checks ask for those of the same text. */
export const readCalculations: (text: Text) => Calculations = remember(({ text }: Text) => {
  const tokens = hint.test(text) ? tokenize(text, 0, text.length) : [];
  return { tokens, chains: findChains(tokens) };
});

/**
 * The numbers at the right ends of equations, also of those with a variable ("x = 12"), in their order. The value is not
 * a number where something else stands there ("5 - 3 = 2:00 pm").
 */
export function readResults(text: Text): readonly StepResult[] {
  const { tokens } = readCalculations(text);
  const results: StepResult[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "equals" || (token.isVerb && !isAfterNumber(tokens, at))) continue;
    const operand = skipToOperand(tokens, at + 1).at;
    const run = readExpression(tokens, operand);
    const [literal] = run?.literals ?? [];
    if (tokens[operand]?.kind === "other") results.push({ value: Number.NaN, step: 1, isPercent: false, shown: token });
    if (run === null || literal === undefined || run.hasVariable || tokens[run.next]?.kind === "equals") continue;
    const value =
      run.hasOperator || literal.token.start > (tokens[run.first]?.start ?? 0)
        ? evaluate(run.expression, "plain")
        : literal.value;
    if (!Number.isFinite(value)) continue;
    results.push({ value, step: literal.token.step, isPercent: literal.isPercent, shown: rangeOf(tokens, run) });
  }
  return results;
}

/** A verb gives a result only where it follows a calculation: "48 + 24 is 72". */
function isAfterNumber(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.kind === "number" && tokens[at - 2]?.kind === "operator";
}
