import type { Check, Finding, Range, Text } from "../types.ts";
import { checkUnknowns } from "./check-unknowns.ts";
import { findChains } from "./find-chains.ts";
import { type Judged, judgeChain } from "./judge-chain.ts";
import { tokenize } from "./tokenize.ts";
import type { NumberToken, Token } from "./tokens.ts";

/** Whether the calculations that the response shows come out as it says. */
export const checkArithmetic: Check = ({ response }) => [...checkEquations(response), ...checkUnknowns(response)];

/**
 * What every equation has that can be judged: a sign for "equals", or an operator between spaces or in words, which a verb may
 * follow. Most prose has none of it: "1844–1846" and "and/or" are no sums.
 */
const hint =
  /[=≈≅≃＝]|\\[a-z]| [+*×÷/] |\d [−–-] [$\d]|\b(?:plus|minus|times|divided|multiplied|twice|thrice|double|triple|squared|cubed)\b|(?:%|percent|half|thirds?|quarters?|fourths?|fifths?|tenths?) of\b/i;

function checkEquations(response: Text): readonly Finding[] {
  const { text } = response;
  if (!hint.test(text)) return [];
  const tokens = tokenize(text, 0, text.length);
  const exact = new Map<number, number>();
  const judged: Judged[] = [];
  for (const chain of findChains(tokens)) {
    const found = judgeChain(text, tokens, chain, exact);
    if (found) judged.push(found);
  }
  const all = [...judged, ...judgeAnnotations(text, tokens, judged, exact)];
  return all.map((found) => toFinding(response, found));
}

/** The annotations `<<16-3-4=9>>`: each must hold in itself, and the number after it must be what it comes to. */
function judgeAnnotations(
  text: string,
  tokens: readonly Token[],
  around: readonly Judged[],
  exact: Map<number, number>,
): readonly Judged[] {
  const judged: Judged[] = [];
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "annotation") continue;
    while ((around[next]?.range.end ?? Number.POSITIVE_INFINITY) <= token.start) next += 1;
    const outer = around[next];
    const isInside = outer !== undefined && outer.range.start <= token.start && outer.range.end >= token.end;
    if (isInside && outer.verdict === "contradicted") continue;
    const shown = tokens[index + 1];
    const range = isInside
      ? outer.range
      : { start: token.start, end: shown?.kind === "number" && shown.start === token.end ? shown.end : token.end };
    const found = judgeAnnotation(text, token, exact);
    if (found?.verdict === "contradicted") judged.push({ ...found, range });
    else if (!isInside && shown?.kind === "number") judged.push(...judgeShown(text, token, shown));
  }
  return judged;
}

function judgeAnnotation(text: string, { start, end }: Range, exact: Map<number, number>): Judged | null {
  const tokens = tokenize(text, start + 2, end - 2);
  const [chain] = findChains(tokens);
  return chain ? judgeChain(text, tokens, chain, exact) : null;
}

/** The number right after an annotation must be its result, as a number or in percent. */
function judgeShown(text: string, { start, end }: Range, shown: NumberToken): readonly Judged[] {
  const inner = text.slice(start + 2, end - 2);
  const sign = inner.lastIndexOf("=");
  const [expression, result] = [inner.slice(0, Math.max(sign, 0)), inner.slice(sign + 1)];
  const value = Number(result);
  if (shown.start !== end || expression === "" || result === "" || Number.isNaN(value)) return [];
  const isSame = [value, value * 100].some(
    (one) => Math.abs(one - shown.value) <= Math.max(shown.step, 1e-9 * Math.abs(one)) * 0.999,
  );
  if (isSame) return [];
  const wrong = { start: shown.start, end: shown.end };
  const reason = `${expression} is ${result}, not ${text.slice(wrong.start, wrong.end)}.`;
  return [{ verdict: "contradicted", range: { start, end: shown.end }, reason, wrong }];
}

function toFinding({ source, text }: Text, { verdict, range, reason, wrong }: Judged): Finding {
  const evidence = wrong === null ? [] : [{ source, ...wrong, text: text.slice(wrong.start, wrong.end) }];
  return { kind: "sum", verdict, range, reason, evidence };
}
