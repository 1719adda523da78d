import { type NumberMention, numbersOf } from "../../text/numbers.ts";
import { within } from "../../text/ranges.ts";
import type { Finding, Range, Text } from "../../types.ts";
import { readResults, type StepResult } from "../arithmetic/index.ts";
import { toSpan } from "./spans.ts";

/** What says that a number is the answer. */
const conclusion =
  /####|\\boxed|\b(?:final )?(?:answer|result|solution)\b(?:[* ]*(?:is|=|:|would be|comes to)|$)|\b(?:so|thus|therefore|hence|in total|in conclusion|altogether)\b/gi;
const isCertain = /^(?:####|\\boxed|.*(?:answer|result|solution))/i;
const aside = /\b(?:check|verif|confirm|round|approx|percent|proof|recall|remember|alternativ)/i;
const longestConclusion = 160;
/** Most characters before the end of the response in which its conclusion is looked for. */
const tail = 2_000;

/** Whether the answer that the response gives at its end is what its last step comes to. */
export function checkConclusion(prompt: Text, response: Text): readonly Finding[] {
  const { text } = response;
  if (!text.includes("=")) return [];
  const final = findFinal(response);
  if (final === null) return [];
  const last = findLastResult(readResults(response), final.marker);
  if (last === null || Number.isNaN(last.value)) return [];
  const { number, range } = final;
  if (isSameResult(last, number)) {
    const reason = `The conclusion is the ${format(text, last.shown)} of the last step.`;
    return [{ check: "consistency", verdict: "supported", range, reason, evidence: [toSpan(response, last.shown)] }];
  }
  if (isStatedBetween(response, last, final)) return [];
  if (!final.isCertain && !isNew(prompt, response, number)) return [];
  const reason = `The last step comes to ${format(text, last.shown)}, and the conclusion says ${format(text, number)}.`;
  const evidence = [toSpan(response, last.shown), toSpan(response, number)];
  return [{ check: "consistency", verdict: "contradicted", range, reason, evidence }];
}

interface Final {
  readonly marker: number;
  readonly number: NumberMention;
  /** From the marker to the number. */
  readonly range: Range;
  readonly isCertain: boolean;
}

/** The last number that is marked as the answer. One that an equation goes on from, or comes to, is a step. */
function findFinal(response: Text): Final | null {
  const { text } = response;
  const from = Math.max(0, text.length - tail);
  const markers = [...text.slice(from).matchAll(conclusion)].toReversed();
  for (const { index, 0: marker } of markers) {
    const start = from + index;
    const line = text.slice(start, start + longestConclusion).split("\n", 3);
    // "**Answer:**" may stand in a line of its own.
    const after = (line[0] ?? "").length > marker.length + 4 ? (line[0] ?? "") : line.join("\n");
    if (after.includes("=") || after.includes("≈")) {
      if (isCertain.test(marker)) continue;
      return null;
    }
    const numbers = within(numbersOf(response), { start, end: start + after.length }).filter(
      ({ kind }) => kind !== "ordinal",
    );
    const [number] = numbers;
    if (number === undefined) continue;
    if (!isCertain.test(marker) && numbers.length !== 1) return null;
    return {
      marker: start,
      number,
      range: { start, end: number.end },
      isCertain: isCertain.test(marker) && numbers.length === 1,
    };
  }
  return null;
}

function findLastResult(results: readonly StepResult[], before: number): StepResult | null {
  return results.findLast(({ shown }) => shown.end <= before) ?? null;
}

/** Whether the number is said between the last step's line and the conclusion, or that part is not a step but an aside. */
function isStatedBetween(response: Text, last: StepResult, { marker, number }: Final): boolean {
  const { text } = response;
  const line = text.lastIndexOf("\n", last.shown.start) + 1;
  const between = { start: Math.max(line, last.shown.start - 400), end: marker };
  if (aside.test(text.slice(between.start, between.end))) return true;
  return within(numbersOf(response), between).some(
    ({ value, end }) => Math.abs(value) === Math.abs(number.value) && (end <= last.shown.start || end > last.shown.end),
  );
}

/** The same number, or rounded to fewer digits, or the same in percent or cents. */
function isSameResult(last: StepResult, number: NumberMention): boolean {
  const values = [last.value, last.value * 100, last.value / 100, last.value * 1_000, last.value / 1_000];
  return values.some((value) => {
    const difference = Math.abs(Math.abs(value) - Math.abs(number.value));
    return (
      difference <= 1e-9 * Math.max(1, Math.abs(value)) ||
      (!Number.isInteger(value / number.step) && difference < number.step)
    );
  });
}

/** Whether neither the prompt nor the rest of the response has the number. */
function isNew(prompt: Text, response: Text, { value, start }: NumberMention): boolean {
  const isElsewhere = (number: NumberMention) => number.value === value;
  return (
    !numbersOf(prompt).some(isElsewhere) &&
    !numbersOf(response).some((number) => number.end <= start && isElsewhere(number))
  );
}

function format(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
