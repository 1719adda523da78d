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
  /** What "million" multiplied it with; 1 without. */
  readonly scale: number;
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

/** Words after which what was said of a number is over: what follows is no unit of it. */
const blockers: ReadonlySet<string> = new Set(
  "and or so then because if when which that she he they it we you i but while since after before than who has have had is are was were".split(
    " ",
  ),
);
export const determiners: ReadonlySet<string> = new Set(
  "the a his her their its those these all that my our your this".split(" "),
);
const functions: ReadonlySet<string> = new Set("mod log ln sin cos tan sqrt max min gcd lcm base".split(" "));

/** Whether an operand can begin at a token. A minus begins one only where it is attached to its number. */
export function startsOperand(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.kind === "number" || token.kind === "open" || token.kind === "fraction" || token.kind === "root")
    return true;
  const next = tokens[at + 1];
  if (next === undefined) return false;
  if (token.kind === "currency") {
    return next.kind === "number" || next.kind === "open" || (isMinus(next) && startsOperand(tokens, at + 1));
  }
  if (!isMinus(token) || token.end !== next.start) return false;
  return (
    next.kind === "number" || next.kind === "open" || (next.kind === "currency" && tokens[at + 2]?.kind === "number")
  );
}

/** Whether a token is a minus sign. */
export function isMinus(token: Token | undefined): token is Token & { kind: "operator" } {
  return token?.kind === "operator" && token.operator === "-" && !token.isWord;
}

/** Whether a word makes a number no plain quantity: a variable (one letter that is no unit and no article), or "pm". */
export function isVariableName(token: Token): boolean {
  if (token.kind !== "word") return false;
  return (
    (token.word.length === 1 && token.unit === null && token.word !== "a") || token.word === "pm" || token.word === "am"
  );
}

/** Whether a word is the name of a function, whose argument is no operand of its own. */
export function isFunctionName(token: Token): boolean {
  return token.kind === "word" && functions.has(token.word);
}

/** Whether a word cannot be part of the unit of a number. */
export function isBlocker(token: Token): boolean {
  return token.kind === "word" && blockers.has(token.word);
}
