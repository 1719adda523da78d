import { type NumberMention, numbersOf } from "../../text/numbers.ts";
import type { Finding, Range, Text } from "../../types.ts";
import { formatNumber } from "./describe.ts";

const named =
  /\b(sum|total|difference|product|average|mean|quotient) (?:of|between) (?:the )?(?:numbers )?(?=[\d$€£.(]|[a-z])/gi;
const joint = /^(?: [a-z]+){0,2}(?:, and |, | and | & )(?:the )?$/i;
const verb = /^(?: [a-z]+){0,2} (?:is|was|equals|=|comes to|is equal to|makes|would be) (?:exactly |only |just )?$/i;
const goesOn = /^(?: ?[-+*/×÷=^%]| (?:more|less|times|to|out|or|and|percent|higher|lower|greater)\b)/i;
const at = /^ (?:[a-z-]+ ){1,3}(?:at|for|@) $/i;
const each =
  /^ (?:each|apiece|per [a-z]+|an? [a-z]+|every [a-z]+),? ?(?:which )?(?:is|makes?|made|costs?|earns?|equals|=|gives|brings(?: in)?|totals|comes to|for a total of|would be|would cost|will cost|in total is|costing a total of) $/i;

type Name = "sum" | "difference" | "product" | "average" | "quotient";

/** "The sum of 3, 4 and 5 is 12" and "9 eggs at $2 each makes $18": whether the words come to the number. */
export function checkWordSums(response: Text): readonly Finding[] {
  return [...checkNamed(response), ...checkPrices(response)];
}

function checkNamed(response: Text): readonly Finding[] {
  const { text } = response;
  const numbers = numbersOf(response);
  // Two to calculate with, and what they come to.
  if (numbers.length < 3) return [];
  const findings: Finding[] = [];
  let next = 0;
  for (const { index, 0: said, 1: word = "" } of text.matchAll(named)) {
    const start = index + said.length;
    while ((numbers[next]?.start ?? Number.POSITIVE_INFINITY) < start) next += 1;
    if (numbers[next]?.start !== start) continue;
    const list = readList(text, numbers, next);
    const result = numbers[next + list.length];
    const last = list.at(-1);
    if (result === undefined || last === undefined || list.length < 2) continue;
    if (!verb.test(text.slice(last.end, result.start)) || goesOn.test(text.slice(result.end, result.end + 12)))
      continue;
    const name = toName(word);
    const value = compute(name, list);
    if (
      value === null ||
      [...list, result].some(({ isPercent, kind }) => isPercent !== result.isPercent || kind === "ordinal")
    )
      continue;
    const words = `The ${word.toLowerCase()} of ${joinWords(list.map((number) => slice(text, number)))}`;
    findings.push(judge(response, { start: index, end: result.end }, words, value, result));
  }
  return findings;
}

function readList(text: string, numbers: readonly NumberMention[], first: number): readonly NumberMention[] {
  const list: NumberMention[] = [];
  for (let index = first; index < numbers.length; index += 1) {
    const number = numbers[index];
    const before = list.at(-1);
    if (number === undefined || (before && !joint.test(text.slice(before.end, number.start)))) break;
    list.push(number);
  }
  return list;
}

function toName(word: string): Name {
  const lower = word.toLowerCase();
  if (lower === "difference" || lower === "product" || lower === "quotient") return lower;
  return lower === "average" || lower === "mean" ? "average" : "sum";
}

function compute(name: Name, list: readonly NumberMention[]): number | null {
  const values = list.map(({ value }) => value);
  const [first = 0, second = 0] = values;
  const sum = values.reduce((total, value) => total + value, 0);
  switch (name) {
    case "sum":
      return sum;
    case "average":
      return sum / values.length;
    case "product":
      return values.reduce((product, value) => product * value, 1);
    case "difference":
      return values.length === 2 ? Math.abs(first - second) : null;
    case "quotient":
      return values.length === 2 && second !== 0 ? first / second : null;
  }
}

function checkPrices(response: Text): readonly Finding[] {
  const { text } = response;
  const numbers = numbersOf(response);
  return numbers.flatMap((price, index) => {
    const [count, total] = [numbers[index - 1], numbers[index + 1]];
    if (!count || !total || price.currency === null || total.currency !== price.currency || count.currency !== null)
      return [];
    if (price.start - count.end > 50 || total.start - price.end > 60) return [];
    if (!at.test(text.slice(count.end, price.start)) || !each.test(text.slice(price.end, total.start))) return [];
    // More than one price may go into the total.
    if (hasOtherPrice(text, numbers, index - 2, count) || goesOn.test(text.slice(total.end, total.end + 12))) return [];
    const words = `${slice(text, count)} × ${slice(text, price)}`;
    return [judge(response, { start: count.start, end: total.end }, words, count.value * price.value, total)];
  });
}

function hasOtherPrice(text: string, numbers: readonly NumberMention[], index: number, count: NumberMention): boolean {
  const before = numbers[index];
  return before !== undefined && before.currency !== null && !/[.!?\n]\s/.test(text.slice(before.end, count.start));
}

function judge({ source, text }: Text, range: Range, words: string, value: number, result: NumberMention): Finding {
  const difference = Math.abs(value - result.value);
  const isWhole = Math.abs(value / (result.step || 1) - Math.round(value / (result.step || 1))) < 1e-6;
  const isRight =
    difference <= 1e-9 * Math.max(1, Math.abs(value)) ||
    (!isWhole && difference < result.step) ||
    (result.step === 0 && difference < 1e-6);
  const shown = slice(text, result);
  if (isRight)
    return { check: "arithmetic", verdict: "supported", range, reason: `${words} is ${shown}.`, evidence: [] };
  const symbol = /^[$€£]/.exec(shown)?.[0] ?? "";
  const evidence = [{ source, start: result.start, end: result.end, text: shown }];
  return {
    check: "arithmetic",
    verdict: "contradicted",
    range,
    reason: `${words} is ${formatNumber(value, symbol)}, not ${shown}.`,
    evidence,
  };
}

function joinWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function slice(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
