import { isPlainLetter } from "../text/digits.ts";
import type { Operator, Token } from "./tokens.ts";

const operators: ReadonlyMap<string, Operator> = new Map([
  ["times", "*"],
  ["cdot", "*"],
  ["ast", "*"],
  ["div", "/"],
]);
const fractions: ReadonlySet<string> = new Set(["frac", "dfrac", "tfrac", "cfrac"]);
const rough: ReadonlySet<string> = new Set(["approx", "simeq", "cong"]);
const unequal: ReadonlySet<string> = new Set([
  "ne",
  "neq",
  "le",
  "leq",
  "ge",
  "geq",
  "implies",
  "to",
  "rightarrow",
  "Rightarrow",
]);
const longestCommand = 12;

/** Reads the LaTeX command at a backslash: `\frac`, `\times`, `\approx`, `\%`. One without a value (`\left`, `\,`) leaves no token. */
export function readCommand(tokens: Token[], text: string, start: number): number {
  let end = start + 1;
  while (end - start <= longestCommand && isPlainLetter(text.charCodeAt(end))) end += 1;
  const name = text.slice(start + 1, end);
  if (name === "") return readEscape(tokens, text, start);
  const operator = operators.get(name);
  if (operator) tokens.push({ kind: "operator", operator, start, end, isSpaced: true, isWord: false });
  else if (fractions.has(name)) tokens.push({ kind: "fraction", start, end });
  else if (name === "sqrt") tokens.push({ kind: "root", start, end });
  else if (rough.has(name)) tokens.push({ kind: "equals", start, end, isRough: true, isVerb: false });
  else if (unequal.has(name)) tokens.push({ kind: "punctuation", start, end });
  return end;
}

/** `\%` and `\$` are what they escape; `\\` ends a line; spaces and the brackets of formulas are nothing. */
function readEscape(tokens: Token[], text: string, start: number): number {
  const sign = text.charAt(start + 1);
  const end = start + 2;
  if (sign === "%") tokens.push({ kind: "percent", start, end });
  else if (sign === "$") tokens.push({ kind: "currency", start, end });
  else if (sign === "\\") tokens.push({ kind: "break", start, end });
  return Math.min(end, text.length);
}
