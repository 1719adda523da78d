import { type NumberMention, numbersOf } from "../text/numbers.ts";
import { convert, type Unit } from "../text/units.ts";
import type { Finding, Text } from "../types.ts";
import { formatNumber } from "./describe.ts";

const equals =
  /^\s?(?:=|≈|is|are|equals|is equal to|is the same as|is about|makes|contains|has)\s?(?:about |approximately |exactly |roughly |only )?$/;
const goesOn = /^\s?(?:[-+*/×÷=^]|more|less|longer|shorter|too|late|early|ago|old|or|to|and|after|before|per)/i;
const hasBefore = /(?:[-+*/×÷=^]|\bx|\b(?:times|of|by|every|each|per))\s?$/i;
/** On a map or a model a length stands for another. */
const drawn = /\b(?:scale|map|model|blueprint|drawing|equivalent|represents?|exchange|trade)\b/i;
/** A mistake in a conversion is hardly ever larger; what is, says something else. */
const mostOff = 12;

/** "3 km is 3000 m", "2 hours = 120 minutes": whether the two are the same. */
export function checkConversions(prompt: Text, response: Text): readonly Finding[] {
  const { text } = response;
  const numbers = numbersOf(response);
  return numbers.flatMap((to, index) => {
    const from = numbers[index - 1];
    if (
      !from?.unit ||
      !to.unit ||
      from.unit.unit.dimension !== to.unit.unit.dimension ||
      from.unit.unit === to.unit.unit
    )
      return [];
    if (to.start - from.unit.end > 30 || !equals.test(text.slice(from.unit.end, to.start))) return [];
    if (
      goesOn.test(text.slice(to.unit.end, to.unit.end + 10)) ||
      hasBefore.test(text.slice(Math.max(0, from.start - 8), from.start))
    )
      return [];
    // "2 kg 500 g" is one quantity.
    if (isOneQuantity(text, numbers[index - 2], from) || isOneQuantity(text, to, numbers[index + 1])) return [];
    return judge(prompt, response, from, to, from.unit.unit, to.unit.unit);
  });
}

function isOneQuantity(text: string, first: NumberMention | undefined, second: NumberMention | undefined): boolean {
  if (!first?.unit || !second?.unit || first.unit.unit.dimension !== second.unit.unit.dimension) return false;
  return /^(?:,? and |, | )$/.test(text.slice(first.unit.end, second.start));
}

function judge(
  prompt: Text,
  { source, text }: Text,
  from: NumberMention,
  to: NumberMention,
  unit: Unit,
  target: Unit,
): readonly Finding[] {
  const value = convert(from.value, unit, target);
  if (value === null) return [];
  const unitEnd = to.unit?.end ?? to.end;
  const range = { start: from.start, end: unitEnd };
  const difference = Math.abs(value - to.value);
  if (difference <= Math.max(to.step / 2, toleranceOf(unit, target) * Math.abs(value)) + 1e-9) {
    const reason = `${text.slice(from.start, from.unit?.end)} is ${text.slice(to.start, unitEnd)}.`;
    return [{ kind: "unit", verdict: "supported", range, reason, evidence: [] }];
  }
  const ratio = Math.abs(to.value / value);
  const isOtherwise = unit.offset === undefined && (ratio > mostOff || ratio < 1 / mostOff);
  const shown = text.slice(to.start, unitEnd);
  if (
    isOtherwise ||
    isWorkingTime(unit, target, to.value < value) ||
    drawn.test(text) ||
    drawn.test(prompt.text) ||
    prompt.text.includes(shown)
  )
    return [];
  const reason = `${text.slice(from.start, from.unit?.end)} is ${formatNumber(value)} ${target.name}, not ${shown}.`;
  return [
    {
      kind: "unit",
      verdict: "contradicted",
      range,
      reason,
      evidence: [{ source, start: to.start, end: unitEnd, text: shown }],
    },
  ];
}

/** A week of work has five days, a day of it eight hours. */
function isWorkingTime(a: Unit, b: Unit, isLess: boolean): boolean {
  return a.dimension === "time" && isLess && Math.max(a.factor, b.factor) >= 86_400;
}

/** Between systems of units people round; months have no fixed length; cups, tons and megabytes have several sizes. */
function toleranceOf(a: Unit, b: Unit): number {
  if (a.isRough !== b.isRough) return 0.1;
  if (a.dimension === "temperature") return 0.02;
  const isSeveral = [a, b].some(({ name }) => name === "ton" || name === "cup");
  if (isSeveral || a.dimension === "data") return 0.13;
  const isMixed = isMetric(a) !== isMetric(b);
  return isMixed ? (a.dimension === "volume" ? 0.07 : 0.02) : 0;
}

const metric: ReadonlySet<string> = new Set([
  "mm",
  "cm",
  "m",
  "km",
  "mg",
  "g",
  "kg",
  "t",
  "ml",
  "l",
  "m²",
  "km²",
  "ha",
  "km/h",
]);

function isMetric({ name }: Unit): boolean {
  return metric.has(name);
}
