import { findUnit, type Unit } from "../text/units.ts";
import type { Expression, Literal } from "./expression.ts";
import {
  determiners,
  isBlocker,
  isMinus,
  isVariableName,
  type NumberToken,
  type Operator,
  startsOperand,
  type Token,
} from "./tokens.ts";

/** An expression as it is in the tokens, as much of it as goes together. */
export interface Run {
  readonly expression: Expression;
  readonly literals: readonly Literal[];
  readonly hasOperator: boolean;
  /** Whether all operators are words or stand between spaces, which dates, scores and ranges have not. */
  readonly isSpaced: boolean;
  /** Whether letters in it make it algebra: "2x + 3". */
  readonly hasVariable: boolean;
  readonly first: number;
  /** The token after it. */
  readonly next: number;
}

interface Found {
  readonly at: number;
  readonly operator: Operator;
  readonly isSpaced: boolean;
}

/** Deepest brackets that are read. */
const deepest = 16;
const mostUnitWords = 5;

/** What any currency sign counts, so that cents convert into it. */
const dollar = findUnit("dollar");

/** The longest expression that begins at a token, or null where none does. */
export function readExpression(tokens: readonly Token[], first: number): Run | null {
  const literals: Literal[] = [];
  let at = first;
  let operators = 0;
  let isSpaced = true;
  let hasVariable = false;
  let isAfterStroke = false;

  const expression = readSum(0);
  if (expression === null) return null;
  attachUnit(skipUnits(at).unit);
  const run = { expression, literals, hasOperator: operators > 0, isSpaced, hasVariable, first, next: at };
  return run;

  function readSum(depth: number): Expression | null {
    const start = readProduct(depth);
    if (start === null) return null;
    const terms: { sign: 1 | -1; of: Expression }[] = [{ sign: 1, of: start }];
    for (let found = findOperator(); found !== null && isAdditive(found.operator); found = findOperator()) {
      const back = at;
      take(found);
      const term = readProduct(depth);
      if (term === null) {
        at = back;
        break;
      }
      operators += 1;
      terms.push({ sign: found.operator === "+" ? 1 : -1, of: term });
    }
    return terms.length === 1 ? start : { kind: "sum", terms };
  }

  function readProduct(depth: number): Expression | null {
    const start = readPower(depth);
    if (start === null) return null;
    const factors: { isInverse: boolean; of: Expression }[] = [{ isInverse: false, of: start }];
    while (true) {
      const found = findOperator();
      const back = at;
      if (found === null) {
        if (!isImplicit(start)) break;
      } else {
        if (isAdditive(found.operator) || found.operator === "^" || (found.operator === "of" && !isPart(factors)))
          break;
        take(found);
      }
      const factor = readPower(depth);
      if (factor === null) {
        at = back;
        break;
      }
      operators += 1;
      factors.push({ isInverse: found?.operator === "/", of: factor });
    }
    return factors.length === 1 ? start : { kind: "product", factors };
  }

  function readPower(depth: number): Expression | null {
    const negative = isMinus(tokens[at]) ? 1 : 0;
    at += negative;
    let base = readAtom(depth);
    if (base === null) return null;
    const token = tokens[at];
    if (token?.kind === "power") {
      at += 1;
      operators += 1;
      base = { kind: "power", base, exponent: token.value };
    } else if (
      token?.kind === "operator" &&
      token.operator === "^" &&
      startsOperand(tokens, at + 1) &&
      depth < deepest
    ) {
      at += 1;
      const exponent = readPower(depth + 1);
      if (exponent === null) return null;
      operators += 1;
      base = { kind: "power", base, exponent };
    }
    return negative === 0 ? base : { kind: "sum", terms: [{ sign: -1, of: base }] };
  }

  function readAtom(depth: number): Expression | null {
    const isMoney = tokens[at]?.kind === "currency";
    if (isMoney) at += 1;
    const token = tokens[at];
    if (token === undefined || depth >= deepest) return null;
    if (token.kind === "number") return readLiteral(token, isMoney);
    if (token.kind === "open") return readGroup(depth);
    if (token.kind === "root") {
      at += 1;
      operators += 1;
      const of = readAtom(depth + 1);
      return of && { kind: "root", of };
    }
    if (token.kind !== "fraction") return null;
    at += 1;
    const above = tokens[at]?.kind === "open" ? readGroup(depth) : null;
    const below = above && tokens[at]?.kind === "open" ? readGroup(depth) : null;
    if (above === null || below === null) return null;
    operators += 1;
    return {
      kind: "product",
      factors: [
        { isInverse: false, of: above },
        { isInverse: true, of: below },
      ],
    };
  }

  function readGroup(depth: number): Expression | null {
    at += 1;
    const inner = readSum(depth + 1);
    if (inner === null) return null;
    const units = skipUnits(at);
    if (tokens[units.next]?.kind !== "close") return null;
    attachUnit(units.unit);
    hasVariable ||= units.hasLetter;
    at = units.next + 1;
    if (tokens[at]?.kind === "percent") at += 1;
    return inner;
  }

  function readLiteral(token: NumberToken, isMoney: boolean): Literal {
    at += 1;
    let value = token.value;
    const [above, stroke, below] = [tokens[at], tokens[at + 1], tokens[at + 2]];
    // "3 1/2"
    const isMixed =
      above?.kind === "number" &&
      below?.kind === "number" &&
      stroke?.kind === "operator" &&
      stroke.operator === "/" &&
      token.step === 1 &&
      above.start === token.end + 1 &&
      !stroke.isSpaced &&
      above.value < below.value &&
      above.step === 1;
    if (isMixed) {
      value += above.value / below.value;
      at += 3;
    } else if (
      isAfterStroke &&
      above?.kind === "operator" &&
      above.operator === "/" &&
      above.start === token.end &&
      stroke?.kind === "number" &&
      stroke.start === above.end
    ) {
      // "3 / 1/2" divides by a half.
      value /= stroke.value;
      at += 2;
    }
    isAfterStroke = false;
    const isPercent = tokens[at]?.kind === "percent";
    if (isPercent) at += 1;
    const { letters } = token;
    if (letters.length === 1) hasVariable ||= !"gmhsLl".includes(letters);
    const literal: Literal = {
      kind: "literal",
      token,
      value,
      isPercent,
      unit: isMoney ? dollar : unitOfLetters(token),
    };
    literals.push(literal);
    return literal;
  }

  /** The operator that continues from here, past the unit of the number before it. */
  function findOperator(): Found | null {
    const units = skipUnits(at);
    const token = tokens[units.next];
    if (token?.kind !== "operator") return null;
    if (!startsOperand(tokens, afterDeterminers(units.next + 1))) return null;
    attachUnit(units.unit);
    if (units.hasLetter) hasVariable = true;
    return { at: units.next, operator: token.operator, isSpaced: token.isSpaced || token.isWord };
  }

  /** Past the words, rates ("/minute") and words in brackets that name the unit of a number. */
  function skipUnits(from: number): { readonly next: number; readonly unit: Unit | null; readonly hasLetter: boolean } {
    let next = from;
    let unit: Unit | null = null;
    let hasLetter = false;
    for (let count = 0; count < mostUnitWords; count += 1) {
      const token = tokens[next];
      if (token?.kind === "word" && !isBlocker(token)) {
        if (isVariableName(token)) hasLetter = true;
        unit ??= token.unit;
        next += 1;
      } else if (token?.kind === "operator" && token.operator === "/" && tokens[next + 1]?.kind === "word") next += 2;
      else if (token?.kind === "operator" && token.operator === "of" && !token.isSpaced) break;
      else if (
        token?.kind === "operator" &&
        token.operator === "of" &&
        tokens[next + 1]?.kind === "word" &&
        !startsOperand(tokens, afterDeterminers(next + 1))
      )
        next += 2;
      else if (token?.kind === "open" && tokens[next + 1]?.kind === "word" && closesWords(tokens, next))
        next = closesWords(tokens, next);
      else if (token?.kind === "currency" && !startsOperand(tokens, next)) next += 1;
      else break;
    }
    return { next, unit, hasLetter };
  }

  function attachUnit(unit: Unit | null): void {
    const last = literals.at(-1);
    if (last) last.unit ??= unit;
  }

  /** Past an operator and the words between it and its number: "5 + his 3". */
  function take(found: Found): void {
    at = afterDeterminers(found.at + 1);
    isSpaced &&= found.isSpaced;
    isAfterStroke = found.operator === "/" && found.isSpaced;
  }

  /** "2(3 + 4)", "(2)(3)", "5√2", "(1/4)24" and "(1/2) 278" multiply. */
  function isImplicit(start: Expression): boolean {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || before === undefined) return false;
    const gap = token.start - before.end;
    if (token.kind === "number" && before.kind === "close") {
      return !token.isWord && (gap === 0 || (gap === 1 && start.kind === "product"));
    }
    if (gap > 0 || (token.kind !== "open" && token.kind !== "root")) return false;
    return before.kind === "close" || (before.kind === "number" && !before.isWord);
  }

  function afterDeterminers(from: number): number {
    let next = from;
    for (let token = tokens[next]; token?.kind === "word" && determiners.has(token.word) && next < from + 2; ) {
      next += 1;
      token = tokens[next];
    }
    return next;
  }
}

/** The token after brackets around up to three words; 0 where there is anything else in them. */
export function closesWords(tokens: readonly Token[], open: number): number {
  for (let next = open + 1; next < open + 5; next += 1) {
    if (tokens[next]?.kind === "close") return next + 1;
    if (tokens[next]?.kind !== "word") return 0;
  }
  return 0;
}

/** The unit in the letters right after digits. Those of "1990s" are no seconds. */
function unitOfLetters({ letters, value }: NumberToken): Unit | null {
  const isDecade = letters === "s" && value >= 1_000 && value % 10 === 0;
  return letters === "" || isDecade ? null : findUnit(letters);
}

/** Whether what was multiplied so far is a part that "of" can take: a percent, a fraction. */
function isPart(factors: readonly { readonly isInverse: boolean; readonly of: Expression }[]): boolean {
  const last = factors.at(-1);
  if (last === undefined) return false;
  if (last.of.kind === "literal") return last.isInverse || last.of.isPercent || last.of.token.isFraction;
  return last.of.kind === "product";
}

function isAdditive(operator: Operator): boolean {
  return operator === "+" || operator === "-";
}
