import type { Unit } from "../text/units.ts";
import type { NumberToken } from "./tokens.ts";

/** A number in an expression, with what the words around it make of it. */
export interface Literal {
  readonly kind: "literal";
  readonly token: NumberToken;
  readonly value: number;
  readonly isPercent: boolean;
  /** Set once the words after it have been read. */
  unit: Unit | null;
}

/** Sums and products are flat, so that a long one costs no depth. */
export type Expression =
  | Literal
  | { readonly kind: "sum"; readonly terms: readonly { readonly sign: 1 | -1; readonly of: Expression }[] }
  | { readonly kind: "product"; readonly factors: readonly { readonly isInverse: boolean; readonly of: Expression }[] }
  | { readonly kind: "power"; readonly base: Expression; readonly exponent: Expression | number }
  | { readonly kind: "root"; readonly of: Expression };

/**
 * How percents are read: 20 % as a fifth ("50 × 20%"), as the number 20 ("100% − 80% = 20%"), or as that part of what
 * is before it ("80 + 20% = 96").
 */
export type PercentReading = "hundredths" | "plain" | "added";

/** Replaces the value of a literal, for instance by the unrounded value that it stands for. */
export type Substitute = (literal: Literal) => number;

/**
 * The value of an expression; not finite where it has none (a division by zero, a power out of bounds).
 *
 * Our own, and not that of mathjs: equations in running text have words, units and currency in them, are read in several
 * ways, and must keep their places in the text, none of which its parser does; and to load it takes longer than to verify
 * a thousand responses. The tests compare the two.
 */
export function evaluate(expression: Expression, percent: PercentReading, substitute?: Substitute): number {
  switch (expression.kind) {
    case "literal": {
      const value = substitute ? substitute(expression) : expression.value;
      return expression.isPercent && percent !== "plain" ? value / 100 : value;
    }
    case "sum":
      return expression.terms.reduce((sum, { sign, of }) => {
        const value = evaluate(of, percent, substitute);
        const isPart = percent === "added" && of.kind === "literal" && of.isPercent && sum !== 0;
        return sum + sign * (isPart ? sum * value : value);
      }, 0);
    case "product":
      return expression.factors.reduce((product, { isInverse, of }) => {
        const value = evaluate(of, percent, substitute);
        return isInverse ? product / value : product * value;
      }, 1);
    case "power": {
      const exponent =
        typeof expression.exponent === "number"
          ? expression.exponent
          : evaluate(expression.exponent, percent, substitute);
      return evaluate(expression.base, percent, substitute) ** exponent;
    }
    case "root":
      return Math.sqrt(evaluate(expression.of, percent, substitute));
  }
}
