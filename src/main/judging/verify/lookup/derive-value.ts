import { isSameMeasure, measureOf, type NumberMention } from "../text/numbers.ts";
import { convert, findUnit, type Unit } from "../text/units.ts";

/** A number with its words, for reasons. */
export interface Shown {
  readonly mention: NumberMention;
  readonly shown: string;
}

/** What a claim gives to go by when one of its numbers is nowhere. */
export interface Given {
  readonly said: Shown;
  /** The text before and after the number, in its sentence. */
  readonly before: string;
  readonly after: string;
  /** The passage that the claim is about. */
  readonly passage: string;
  /** The numbers of the best passage, and those of the claim that are somewhere. */
  readonly operands: readonly Shown[];
  /** Those of the best passage. */
  readonly there: readonly Shown[];
  /** Every number that it may be rounded or converted from. */
  readonly known: readonly Shown[];
}

const rounding =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|under|some|circa|ca\.|just|close to|more than|less than|fewer than)|[~≈])\s?$/i;
const roundingAfter = /^\s?(?:or so|or more)\b/i;
const roughly = 0.1;

/** Words that say that a number was worked out. */
const workedOut =
  /\b(?:more|less|fewer|total|altogether|in all|sum|combined|together|left|remain\w*|differences?|surplus|deficit|saves?|saving|later|earlier|older|younger|longer|shorter|higher|lower|per|each|every|for every|average|twice|half|double|increases?|decreases?|grew|growth|rises?|rose|fell|falls?|drop\w*|gain\w*|so|that is|which is|which means|times|ago|percent of|% of|overall)\b/i;
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

/** How a number that is nowhere follows from those that do: rounded, converted, or in one step of arithmetic. Null where it doesn't. */
export function deriveValue(given: Given): string | null {
  return findScaled(given) ?? findRounded(given) ?? findConverted(given) ?? findComputed(given);
}

/** A claim has "12 thousand", its passage "12": the source may name the scale elsewhere. */
function findScaled({ said, there }: Given): string | null {
  const { value, scale } = said.mention;
  const same = there.find(({ mention }) => {
    return (
      scale !== mention.scale && value / scale === mention.value / mention.scale && (scale === 1 || mention.scale === 1)
    );
  });
  return same === undefined ? null : `${same.shown} has another scale than ${said.shown}.`;
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

/** The unit of a number: that of money where a currency is named, so that cents convert into it. */
function unitOf({ unit, currency }: NumberMention): Unit | null {
  return unit?.unit ?? (currency === null ? null : findUnit("dollar"));
}

const longestJoint = 6;

function findConverted({ said, there, known }: Given): string | null {
  const same = known.find(({ mention }) => isConverted(said.mention, mention));
  if (same !== undefined) return `${same.shown} is ${said.shown}.`;
  const other = there.find(({ mention }) => isOtherUnit(said.mention, mention));
  const isComparable = there.some(({ mention }) => {
    // "1 hour and 50 minutes" has no 50 minutes of its own.
    const isPart = other !== undefined && Math.abs(mention.start - (other.mention.unit?.end ?? 0)) <= longestJoint;
    return measureOf(mention) === measureOf(said.mention) && !isPart;
  });
  if (isComparable) return null;
  return other === undefined ? null : `${other.shown} is in another unit than ${said.shown}.`;
}

function isOtherUnit(said: NumberMention, there: NumberMention): boolean {
  const [{ unit: own }, { unit: other }] = [said, there];
  if (said.rate && there.rate && said.rate.name !== there.rate.name) {
    return said.value !== there.value || !said.rate.isKnown || !there.rate.isKnown;
  }
  return own !== null && other !== null && own.unit !== other.unit && own.unit.dimension === other.unit.dimension;
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
  const used = operands.filter(({ mention }) => mention.kind !== "ordinal").slice(-mostOperands);
  for (const [at, a] of used.entries()) {
    for (const b of used.slice(at + 1)) {
      const found = computeStep(a, b, said) ?? computeStep(b, a, said);
      if (found !== null) return `${found} is ${said.shown}.`;
    }
  }
  const alike = used.filter(({ mention }) => {
    return measureOf(mention) === measureOf(said.mention) && mention.kind === "cardinal";
  });
  const sum = alike.reduce((total, { mention }) => total + mention.value, 0);
  return alike.length > 2 && isClose(sum, said.mention)
    ? `${alike.map(({ shown }) => shown).join(" + ")} is ${said.shown}.`
    : null;
}

/** One step whose units fit: what is added measures the same as the sum, what is multiplied or divided counts, or is a rate. */
function computeStep(a: Shown, b: Shown, { mention: said }: Shown): string | null {
  const [x, y] = [a.mention.value, b.mention.value];
  const [own, other, result] = [a.mention, b.mention, said].map(measureOf);
  const isAlike = own === other && own === result;
  if (isAlike && isClose(x + y, said)) return `${a.shown} + ${b.shown}`;
  if (isAlike && isClose(x - y, said)) return `${a.shown} − ${b.shown}`;
  if (other === "%" && own === result && isClose((x * y) / 100, said)) return `${b.shown} of ${a.shown}`;
  if (y !== 0 && result === "%" && own === other) {
    if (isClose((100 * x) / y, said)) return `${a.shown} of ${b.shown}`;
    if (isClose((100 * (x - y)) / y, said)) return `The change from ${b.shown} to ${a.shown}`;
  }
  const isRate = own === result && (other === null || (own !== null && other !== own));
  if (isRate && isClose(x * y, said)) return `${a.shown} × ${b.shown}`;
  const isRatio = isRate || (own === other && result === null);
  return y !== 0 && isRatio && isClose(x / y, said) ? `${a.shown} ÷ ${b.shown}` : null;
}
