import type { Unit } from "../text/units.ts";
import type { Range } from "../types.ts";

export type Operator = "+" | "-" | "*" | "/" | "^" | "of";

/** A number as it is written, with what is attached to it. */
export interface NumberToken extends Range {
  readonly kind: "number";
  readonly value: number;
  /** What its last digit counts; 0 where it cannot have been rounded. */
  readonly step: number;
  readonly isWord: boolean;
  /** "half", "three quarters". */
  readonly isFraction: boolean;
  /** "3rd". */
  readonly isOrdinal: boolean;
  /** "1 234", which could also be two numbers. */
  readonly hasSpaces: boolean;
  /** Letters right after the digits, as in "3x" and "5kg". Empty where there are none. */
  readonly letters: string;
}

interface PlainToken extends Range {
  readonly kind: "open" | "close" | "percent" | "currency" | "punctuation" | "break" | "other" | "fraction" | "root";
}

export type Token =
  | NumberToken
  | PlainToken
  | (Range & {
      readonly kind: "operator";
      readonly operator: Operator;
      readonly isSpaced: boolean;
      readonly isWord: boolean;
    })
  | (Range & { readonly kind: "equals"; readonly isRough: boolean; readonly isVerb: boolean })
  | (Range & { readonly kind: "word"; readonly word: string; readonly unit: Unit | null })
  | (Range & { readonly kind: "power"; readonly value: number })
  | (Range & { readonly kind: "annotation" });
