import { convert } from "../text/units.ts";
import { type Expression, evaluate, type Literal, type PercentReading, type Substitute } from "./expression.ts";

/** What is known next to the two expressions. */
export interface Surroundings {
  /** Unrounded values of results before it, by how they were written. */
  readonly exact: ReadonlyMap<number, number>;
  /** Whether the text around says that a result was rounded to a whole number. */
  readonly mayRoundUp: boolean;
  /** Whether the sign between them says "about". */
  readonly isRough: boolean;
}

const tiny = 1e-9;
/** How far "about" an expression may be off: 1024 is about 10³. */
const roughly = 0.05;
const readings: readonly PercentReading[] = ["hundredths", "plain", "added"];

/**
 * Whether two expressions can be meant as equal, in one of the ways in which people write equations: percents as parts
 * or as numbers, a result rounded or cut to the digits shown, results before it carried on rounded, and units that
 * change on the way ("50 cents × 4 = $2").
 */
export function agree(left: Run, right: Run, surroundings: Surroundings): boolean {
  if (readings.some((reading) => agreeAs(left, right, reading, surroundings))) return true;
  if (agreeInUnits(left, right, surroundings)) return true;
  return agreeUnrounded(left, right, surroundings) || agreeWithDots(left, right);
}

/** One side: its expression with its numbers. */
export interface Run {
  readonly expression: Expression;
  readonly literals: readonly Literal[];
}

function agreeAs(left: Run, right: Run, reading: PercentReading, surroundings: Surroundings): boolean {
  if (reading !== "hundredths" && !hasPercent(left) && !hasPercent(right)) return false;
  return matches(
    evaluate(left.expression, reading),
    evaluate(right.expression, reading),
    stepOf(left.expression, reading),
    stepOf(right.expression, reading),
    surroundings,
  );
}

/** What the last digit of a single number counts; null for an expression. */
function stepOf(expression: Expression, reading: PercentReading): number | null {
  if (expression.kind === "sum" && expression.terms.length === 1)
    return stepOf(expression.terms[0]?.of ?? expression, reading);
  if (expression.kind !== "literal") return null;
  return expression.token.step * (expression.isPercent && reading !== "plain" ? 0.01 : 1);
}

function matches(
  left: number,
  right: number,
  leftStep: number | null,
  rightStep: number | null,
  surroundings: Surroundings,
): boolean {
  if (!Number.isFinite(left) || !Number.isFinite(right)) return true;
  if (isSame(left, right)) return true;
  if (surroundings.isRough && rightStep === null && Math.abs(left - right) <= roughly * Math.abs(left)) return true;
  if (rightStep !== null) return isRounding(left, right, rightStep, surroundings);
  return leftStep !== null && isRounding(right, left, leftStep, surroundings);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= tiny * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Whether `shown` is `exact` rounded or cut to its digits. What needs no rounding must be exact. */
function isRounding(exact: number, shown: number, step: number, { mayRoundUp, isRough }: Surroundings): boolean {
  const difference = Math.abs(exact - shown);
  if (isRough && difference <= Math.max(0.005 * Math.abs(exact), roundnessOf(shown, step) / 2)) return true;
  if (step === 0) return difference <= 1e-6 * Math.abs(exact);
  const inSteps = exact / step;
  if (Math.abs(inSteps - Math.round(inSteps)) < 1e-6) return false;
  if (difference <= (step / 2) * (1 + 1e-6)) return true;
  return difference < step && (Math.abs(shown) < Math.abs(exact) || mayRoundUp);
}

/** What a number is rounded to if its zeros come from rounding: 10 for 450, 1000 for 12000. */
function roundnessOf(shown: number, step: number): number {
  let size = Math.max(step, 1e-12);
  while (shown !== 0 && size < 1e12 && Math.abs(shown % (size * 10)) < tiny * size) size *= 10;
  return size;
}

/** A unit on one side may stand for so many of a unit on the other: 60 minutes, 100 cents. */
function agreeInUnits(left: Run, right: Run, surroundings: Surroundings): boolean {
  const target = right.literals.find(({ unit }) => unit !== null)?.unit ?? null;
  const others = left.literals.map(({ unit }) => unit).filter((unit) => unit !== null && unit !== target);
  const [from] = others.filter((unit) => unit?.dimension === target?.dimension);
  if (target === null || from === null || from === undefined || from.offset !== undefined) return false;
  const isRough = surroundings.isRough || (from.isRough ?? false) !== (target.isRough ?? false);
  const value = evaluate(right.expression, "hundredths");
  const step = stepOf(right.expression, "hundredths");
  const inTarget = evaluateIn(left, target);
  const whole = evaluate(left.expression, "hundredths") * (convert(1, from, target) ?? Number.NaN);
  return [inTarget, whole].some((one) => matches(one, value, null, step, { ...surroundings, isRough }));
}

/** The value with all of a dimension's numbers in one unit: "2 hours + 30 minutes" in hours. */
function evaluateIn({ expression }: Run, unit: NonNullable<Literal["unit"]>): number {
  return evaluate(expression, "hundredths", (literal) =>
    literal.unit === null ? literal.value : (convert(literal.value, literal.unit, unit) ?? literal.value),
  );
}

const smallDenominators = [3, 6, 7, 9, 11, 12];

/** With rounded numbers among the operands replaced by what they may stand for: 10/3 for 3.33. */
function agreeUnrounded(left: Run, right: Run, surroundings: Surroundings): boolean {
  if (left.literals.length < 2) return false;
  const carried: Substitute = ({ value }) => surroundings.exact.get(value) ?? value;
  const guessed: Substitute = (literal) => surroundings.exact.get(literal.value) ?? guessExact(literal);
  return [carried, guessed].some((substitute) =>
    matches(
      evaluate(left.expression, "hundredths", substitute),
      evaluate(right.expression, "hundredths"),
      null,
      stepOf(right.expression, "hundredths"),
      surroundings,
    ),
  );
}

/** The fraction with a small denominator that a number with two or more decimals is the rounding of. */
function guessExact({ value, token: { step }, isPercent }: Literal): number {
  if (step > 0.011 && !(isPercent && step <= 1)) return value;
  for (const denominator of smallDenominators) {
    const scale = isPercent ? 100 : 1;
    const exact = (Math.round((value / scale) * denominator) / denominator) * scale;
    const difference = Math.abs(exact - value);
    const isShownWhole = Math.abs(exact / step - Math.round(exact / step)) < 1e-6;
    if (!isShownWhole && (difference <= step / 2 || (difference < step && exact > value))) return exact;
  }
  return value;
}

/** "1.000 + 200 = 1.200", as much of the world writes thousands: every dot is before three digits. */
function agreeWithDots(left: Run, right: Run): boolean {
  const dotted = [...left.literals, ...right.literals].filter(
    ({ value, token }) => !Number.isInteger(value) || token.step < 1,
  );
  if (dotted.length === 0 || dotted.some(({ token }) => Math.abs(token.step - 0.001) > tiny)) return false;
  const grouped: Substitute = (literal) => (literal.token.step < 1 ? literal.value * 1_000 : literal.value);
  return isSame(evaluate(left.expression, "hundredths", grouped), evaluate(right.expression, "hundredths", grouped));
}

function hasPercent({ literals }: Run): boolean {
  return literals.some(({ isPercent }) => isPercent);
}
