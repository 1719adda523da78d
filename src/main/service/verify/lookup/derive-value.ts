import { measureOf, type NumberMention } from "../text/numbers.ts";
import { convert, findUnit, type Unit } from "../text/units.ts";

/** A number with its words, for reasons. */
export interface Shown {
  readonly mention: NumberMention;
  readonly shown: string;
}

/** What a claim gives to go by when one of its numbers stands nowhere. */
export interface Given {
  readonly said: Shown;
  /** The text before and after the number, in its sentence. */
  readonly before: string;
  readonly after: string;
  /** The passage that the claim is about. */
  readonly passage: string;
  /** The numbers of the best passage, and those of the claim that stand somewhere. */
  readonly operands: readonly Shown[];
  /** Every number that a unit may be converted from. */
  readonly known: readonly Shown[];
}

const rounding =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|under|some|circa|ca\.|just|close to|more than|less than|fewer than)|[~≈])\s?$/i;
const roundingAfter = /^\s?(?:or so|or more)\b/i;
const roughly = 0.1;

/** Words that say that a number was worked out. */
const workedOut =
  /\b(?:more|less|fewer|total|altogether|in all|sum|combined|together|left|remain\w*|differences?|surplus|deficit|saves?|saving|later|earlier|older|younger|longer|shorter|higher|lower|after|before|per|each|every|for every|average|share|twice|half|double|increases?|decreases?|grew|growth|rises?|rose|fell|falls?|drop\w*|gain\w*|so|that is|which is|which means|times|ago|percent of|% of|of \d|overall|cast)\b/i;
/** A passage that says how much more or less something is, says that, too. */
const comparing =
  /\b(?:more|less|fewer|higher|lower|longer|shorter|older|younger|twice|times) (?:than|as)\b|\bmore than in\b/i;
/** Those that leave no doubt about it. */
const surelyWorkedOut =
  /\b(?:in total|total of|altogether|in all|sum of|combined|differences?|surplus|deficit|saves?|saving|left|remain\w*|twice|later|earlier|older|younger)\b/i;

/** Whether a claim says that it has worked its numbers out: then another value contradicts none of them. */
export function isWorkedOut(claim: string): boolean {
  return surelyWorkedOut.test(claim);
}

/** How a number that stands nowhere follows from those that do: rounded, converted, or in one step of arithmetic. Null where it doesn't. */
export function deriveValue(given: Given): string | null {
  return findRounded(given) ?? findConverted(given) ?? findComputed(given);
}

function findRounded({ said, before, after, known }: Given): string | null {
  const isRough = rounding.test(before) || roundingAfter.test(after);
  const found = known.find(({ mention }) => {
    const { value, step, scale, kind } = said.mention;
    const percent = mention.isPercent && kind === "fraction" ? 100 : 1;
    if (percent === 1 && !isSameMeasure(said.mention, mention)) return false;
    const difference = Math.abs(value * percent - mention.value);
    if (isRough && difference <= roughly * Math.abs(mention.value)) return true;
    // "$48 million" for $48.3 million.
    return (step < 1 || scale > 1) && mention.step < step && difference <= step / 2;
  });
  return found === undefined ? null : `${found.shown} is about ${said.shown}.`;
}

function isSameMeasure(a: NumberMention, b: NumberMention): boolean {
  const [own, other] = [measureOf(a), measureOf(b)];
  return own === other || own === null || other === null;
}

/** The unit of a number: that of money where a currency is named. */
function unitOf({ unit, currency }: NumberMention): Unit | null {
  return unit?.unit ?? (currency === "USD" || currency === "EUR" || currency === "GBP" ? findUnit("dollar") : null);
}

function findConverted({ said, known }: Given): string | null {
  const found = known.find(({ mention }) => isConverted(said.mention, mention));
  if (found !== undefined) return `${found.shown} is ${said.shown}.`;
  const target = unitOf(said.mention);
  if (target === null) return null;
  // "6 hours and 20 minutes"
  for (const [at, first] of known.entries()) {
    const second = known[at + 1];
    const parts = [first, second].map((one) => (one === undefined ? null : inUnit(one.mention, target)));
    const [a, b] = parts;
    if (second === undefined || typeof a !== "number" || typeof b !== "number") continue;
    const isOne =
      second.mention.start - (first.mention.unit?.end ?? 0) <= 6 && first.mention.unit !== second.mention.unit;
    if (isOne && isClose(a + b, said.mention)) return `${first.shown} and ${second.shown} are ${said.shown}.`;
  }
  return null;
}

function inUnit(mention: NumberMention, target: Unit): number | null {
  const unit = unitOf(mention);
  return unit === null ? null : convert(mention.value, unit, target);
}

/** Between systems of units, people round; within one, a conversion is exact. */
function isConverted(said: NumberMention, there: NumberMention): boolean {
  const isPart = said.isPercent !== there.isPercent;
  if (isPart) {
    const [percent, other] = said.isPercent ? [said, there] : [there, said];
    return other.kind === "fraction" && measureOf(other) === null && Math.abs(other.value * 100 - percent.value) <= 0.7;
  }
  const [own, other] = [unitOf(said), unitOf(there)];
  if (own === null || other === null || own === other) return false;
  const value = convert(there.value, other, own);
  if (value === null) return false;
  const tolerance = Math.max(1e-9, own.offset === undefined ? 0.005 : 0.02) * Math.abs(value);
  return (
    isClose(value, said) || (isMixed(own, other) && Math.abs(value - said.value) <= Math.max(said.step / 2, tolerance))
  );
}

function isMixed(a: Unit, b: Unit): boolean {
  return !Number.isInteger(Math.log10(a.factor / b.factor)) && a.dimension !== "time";
}

function isClose(value: number, { value: said, step }: NumberMention): boolean {
  const difference = Math.abs(value - said);
  if (difference <= 1e-9 * Math.max(1, Math.abs(said))) return true;
  // What needs no rounding must be exact.
  const inSteps = value / step;
  return step > 0 && Math.abs(inSteps - Math.round(inSteps)) > 1e-6 && difference <= step / 2;
}

const mostOperands = 12;

/** One step from two of the operands, or the sum of all that measure the same. */
function findComputed({ said, before, after, passage, operands }: Given): string | null {
  if (!workedOut.test(before) && !workedOut.test(after) && !comparing.test(passage)) return null;
  const used = operands.slice(-mostOperands);
  for (const [at, a] of used.entries()) {
    for (const b of used.slice(at + 1)) {
      const found = computeStep(a, b, said) ?? computeStep(b, a, said);
      if (found !== null) return `${found} is ${said.shown}.`;
    }
  }
  const alike = used.filter(({ mention }) => isSameMeasure(mention, said.mention) && mention.kind === "cardinal");
  const sum = alike.reduce((total, { mention }) => total + mention.value, 0);
  return alike.length > 2 && isClose(sum, said.mention)
    ? `${alike.map(({ shown }) => shown).join(" + ")} is ${said.shown}.`
    : null;
}

function computeStep(a: Shown, b: Shown, { mention: said }: Shown): string | null {
  const [x, y] = [a.mention.value, b.mention.value];
  const isAlike = isSameMeasure(a.mention, b.mention) && isSameMeasure(a.mention, said);
  if (isAlike && isClose(x + y, said)) return `${a.shown} + ${b.shown}`;
  if (isAlike && isClose(x - y, said)) return `${a.shown} − ${b.shown}`;
  if (b.mention.isPercent && !said.isPercent && isClose((x * y) / 100, said)) return `${b.shown} of ${a.shown}`;
  if (isClose(x * y, said)) return `${a.shown} × ${b.shown}`;
  if (y !== 0 && isClose(x / y, said)) return `${a.shown} ÷ ${b.shown}`;
  if (y === 0 || !said.isPercent) return null;
  if (isClose((100 * x) / y, said)) return `${a.shown} of ${b.shown}`;
  return isClose((100 * (x - y)) / y, said) ? `The change from ${b.shown} to ${a.shown}` : null;
}
