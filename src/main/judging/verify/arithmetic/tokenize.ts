import { isDigit, readVulgarFraction } from "../text/digits.ts";
import { isLetter as isLetterOfWord, readNumberAt } from "../text/numbers.ts";
import { findUnit } from "../text/units.ts";
import { readCommand } from "./latex.ts";
import type { NumberToken, Operator, Token } from "./tokens.ts";

const operatorSigns: ReadonlyMap<string, Operator> = new Map([
  ["+", "+"],
  ["-", "-"],
  ["−", "-"],
  ["–", "-"],
  ["×", "*"],
  ["✕", "*"],
  ["✖", "*"],
  ["·", "*"],
  ["⋅", "*"],
  ["∗", "*"],
  ["÷", "/"],
  ["/", "/"],
  ["∕", "/"],
  ["⁄", "/"],
  ["^", "^"],
]);
const operatorWords: ReadonlyMap<string, Operator> = new Map([
  ["plus", "+"],
  ["minus", "-"],
  ["times", "*"],
  ["of", "of"],
]);
/** The first word of an operator of two words, whose second is "by". */
const byWords: ReadonlyMap<string, Operator> = new Map([
  ["divided", "/"],
  ["multiplied", "*"],
]);
const verbs: ReadonlySet<string> = new Set([
  "is",
  "are",
  "equals",
  "equal",
  "makes",
  "make",
  "gives",
  "leaves",
  "totals",
  "yields",
  "was",
  "were",
  "be",
]);
const verbsWithTo: ReadonlySet<string> = new Set(["comes", "come", "amounts", "up", "equal"]);
const prefixes: ReadonlyMap<string, number> = new Map([
  ["twice", 2],
  ["thrice", 3],
  ["double", 2],
  ["triple", 3],
]);
const powers: ReadonlyMap<string, number> = new Map([
  ["²", 2],
  ["³", 3],
  ["squared", 2],
  ["cubed", 3],
]);
/** The words that say more than a unit: all others are recognized by one look-up. */
const keywords: ReadonlySet<string> = new Set([
  ...operatorWords.keys(),
  ...byWords.keys(),
  ...verbs,
  ...verbsWithTo,
  ...prefixes.keys(),
  ...powers.keys(),
  "percent",
]);
const currencySigns: ReadonlySet<string> = new Set(["$", "€", "£", "¥", "₹"]);
const equalsSigns: ReadonlySet<string> = new Set(["=", "≈", "≅", "≃", "＝"]);
const markup: ReadonlySet<string> = new Set(["_", "`", "~", "*", "&", '"', "“", "”"]);
const longestAnnotation = 200;
const longestLetters = 8;
const degree = 0xb0;

/**
 * The text between two places as arithmetic sees it: numbers, operators, equals signs and verbs that replace them,
 * brackets, words. Markdown and LaTeX commands without a meaning for the value are left out. One pass, in which each
 * character is looked at a bounded number of times.
 */
export function tokenize(text: string, start: number, end: number): readonly Token[] {
  const tokens: Token[] = [];
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9 || code === 13) at += 1;
    else if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(at + 1)))) at = pushNumber(tokens, text, at);
    else if (isLetter(code)) at = pushWord(tokens, text, at, end);
    else at = pushSign(tokens, text, at, end);
  }
  return tokens;
}

function pushNumber(tokens: Token[], text: string, start: number): number {
  const number = readNumberAt(text, start);
  if (number === null || "isCode" in number || number.unknownScale !== null)
    return push(tokens, { kind: "other", start, end: number?.end ?? start + 1 });
  const lettersEnd = number.kind === "ordinal" ? number.end : skipLetters(text, number.end);
  const hasLetters = lettersEnd > number.end && !isTimes(text, number.end, lettersEnd);
  const letters = hasLetters ? text.slice(number.end, Math.min(lettersEnd, number.end + longestLetters)) : "";
  tokens.push({
    kind: "number",
    start,
    end: number.end + letters.length,
    value: number.value,
    step: number.step,
    isWord: false,
    isFraction: number.kind === "fraction",
    isOrdinal: number.kind === "ordinal",
    hasSpaces: number.hasSpaces,
    scale: number.scale,
    letters,
  });
  return hasLetters ? lettersEnd : number.end;
}

function pushWord(tokens: Token[], text: string, start: number, limit: number): number {
  const number = readNumberAt(text, start);
  // "4 dozen" counts dozens; "a dozen" and "two dozen" are numbers.
  if (number !== null && !("isCode" in number) && !text.startsWith("dozen", start)) {
    const { end, value, kind } = number;
    if (kind === "ordinal") return push(tokens, { kind: "word", start, end, word: "", unit: null });
    return push(tokens, wordNumber(start, end, value, Number.isInteger(value) ? 1 : 0, kind === "fraction"));
  }
  const end = Math.min(skipName(text, start), limit);
  if (text.startsWith("://", end)) return push(tokens, { kind: "other", start, end: skipAddress(text, end) });
  if (isTimes(text, start, end)) return push(tokens, operatorAt(text, "*", start, end, false));
  const word = end - start > 14 ? "" : text.slice(start, end).toLowerCase();
  if (!keywords.has(word))
    return push(tokens, { kind: "word", start, end, word, unit: word === "" ? null : findUnit(word) });
  const operator = operatorWords.get(word);
  if (operator && (operator === "of" || isOperandNext(text, end) || isNumberWordNext(text, end)))
    return push(tokens, operatorAt(text, operator, start, end, true));
  const by = byWords.get(word);
  if (by && text.startsWith(" by", end)) return push(tokens, operatorAt(text, by, start, end + 3, true));
  const verbEnd = readVerb(text, word, end);
  if (verbEnd !== null) return push(tokens, { kind: "equals", start, end: verbEnd, isRough: false, isVerb: true });
  const prefix = prefixes.get(word);
  if (prefix !== undefined && isOperandNext(text, end)) {
    tokens.push(wordNumber(start, end, prefix, 1, false));
    return push(tokens, { kind: "operator", operator: "*", start: end, end, isSpaced: true, isWord: true });
  }
  const power = powers.get(word);
  if (power !== undefined) return push(tokens, { kind: "power", start, end, value: power });
  if (word === "percent") return push(tokens, { kind: "percent", start, end });
  return push(tokens, { kind: "word", start, end, word, unit: word === "" ? null : findUnit(word) });
}

function wordNumber(start: number, end: number, value: number, step: number, isFraction: boolean): NumberToken {
  return {
    kind: "number",
    start,
    end,
    value,
    step,
    isWord: true,
    isFraction,
    isOrdinal: false,
    scale: 1,
    hasSpaces: false,
    letters: "",
  };
}

/** "is", "comes to", "is equal to": what a sentence says for "=". Its end, or null where the word is none. */
function readVerb(text: string, word: string, end: number): number | null {
  if (verbsWithTo.has(word) && text.startsWith(" to ", end)) return end + 3;
  if (!verbs.has(word)) return null;
  return text.startsWith(" equal to ", end) ? end + 9 : end;
}

function pushSign(tokens: Token[], text: string, start: number, limit: number): number {
  const sign = text.charAt(start);
  const next = text.charAt(start + 1);
  if (sign === "\n") return push(tokens, { kind: "break", start, end: start + 1 });
  if (sign === "<" && next === "<") return pushAnnotation(tokens, text, start, limit);
  if ((sign === "<" || sign === ">" || sign === "!" || sign === "=") && (next === "=" || next === ">")) {
    const isDouble = sign === "=" && next === "=";
    const end = start + 2;
    return push(tokens, isDouble ? equals(start, end, false) : { kind: "punctuation", start, end });
  }
  if (equalsSigns.has(sign)) return push(tokens, equals(start, start + 1, sign !== "=" && sign !== "＝"));
  if (sign === "~" && next === "=") return push(tokens, equals(start, start + 2, true));
  if (sign === "*") return pushAsterisk(tokens, text, start);
  const operator = operatorSigns.get(sign);
  if (operator) return push(tokens, operatorAt(text, operator, start, start + 1, false));
  if (sign === "\\") return readCommand(tokens, text, start);
  if (currencySigns.has(sign)) return push(tokens, { kind: "currency", start, end: start + 1 });
  if (sign === "%") return push(tokens, { kind: "percent", start, end: start + 1 });
  if (sign === "(" || sign === "[" || sign === "{") return push(tokens, { kind: "open", start, end: start + 1 });
  if (sign === ")" || sign === "]" || sign === "}") return push(tokens, { kind: "close", start, end: start + 1 });
  if (sign === "√") return push(tokens, { kind: "root", start, end: start + 1 });
  const power = powers.get(sign);
  if (power !== undefined) return push(tokens, { kind: "power", start, end: start + 1, value: power });
  const part = readVulgarFraction(text, start);
  if (part !== null) return push(tokens, { ...wordNumber(start, start + 1, part, 0, true), isWord: false });
  if (markup.has(sign)) return start + 1;
  return push(tokens, { kind: "punctuation", start, end: start + 1 });
}

function equals(start: number, end: number, isRough: boolean): Token {
  return { kind: "equals", start, end, isRough, isVerb: false };
}

/** A "*" multiplies where a value is before it and one follows; "**" is a power only right between two. */
function pushAsterisk(tokens: Token[], text: string, start: number): number {
  if (text.charAt(start + 1) === "*") {
    const isPower = isValueEnd(text.charAt(start - 1)) && isDigit(text.charCodeAt(start + 2));
    return isPower ? push(tokens, operatorAt(text, "^", start, start + 2, false)) : start + 2;
  }
  const last = tokens.at(-1);
  const follows = last !== undefined && last.kind !== "break" && last.kind !== "operator" && last.kind !== "equals";
  const multiplies = follows && (isOperandNext(text, start + 1) || isBeforeName(text, start));
  return multiplies ? push(tokens, operatorAt(text, "*", start, start + 1, false)) : start + 1;
}

/** "3 * x" and "3*x", but neither "5 *emphasis*" nor "*emphasis* 5". */
function isBeforeName(text: string, start: number): boolean {
  const isSpaced = text.charAt(start - 1) === " ";
  return isSpaced === (text.charAt(start + 1) === " ") && isLetter(text.charCodeAt(isSpaced ? start + 2 : start + 1));
}

/** `<<16-3-4=9>>`, the calculator annotation of GSM8K. */
function pushAnnotation(tokens: Token[], text: string, start: number, limit: number): number {
  const closing = text.slice(start, Math.min(limit, start + longestAnnotation)).indexOf(">>");
  if (closing < 0) return push(tokens, { kind: "punctuation", start, end: start + 2 });
  return push(tokens, { kind: "annotation", start, end: start + closing + 2 });
}

function operatorAt(text: string, operator: Operator, start: number, end: number, isWord: boolean): Token {
  const isSpaced = text.charAt(start - 1) === " " && text.charAt(end) === " ";
  return { kind: "operator", operator, start, end, isSpaced, isWord };
}

function isNumberWordNext(text: string, end: number): boolean {
  return text.charAt(end) === " " && isLetter(text.charCodeAt(end + 1)) && readNumberAt(text, end + 1) !== null;
}

/** An "x" between two values. */
function isTimes(text: string, start: number, end: number): boolean {
  if (end - start !== 1 || (text.charCodeAt(start) | 32) !== 120) return false;
  const isSpaced = text.charAt(start - 1) === " " && text.charAt(end) === " ";
  const isSigned = text.charAt(end) === "-" || text.charAt(end + 1) === "-";
  return isOperandNext(text, end) && (isSpaced || !isSigned);
}

/** Whether digits, a bracket, a currency or a LaTeX command follow, after at most one space. */
function isOperandNext(text: string, end: number): boolean {
  let at = text.charAt(end) === " " ? end + 1 : end;
  if (text.charAt(at) === "-" || text.charAt(at) === "−") at += 1;
  const code = text.charCodeAt(at);
  if (isDigit(code)) return true;
  const sign = text.charAt(at);
  return sign === "(" || sign === "."
    ? sign === "(" || isDigit(text.charCodeAt(at + 1))
    : currencySigns.has(sign) || sign === "\\" || sign === "[" || readVulgarFraction(text, at) !== null;
}

function isValueEnd(sign: string): boolean {
  return isDigit(sign.charCodeAt(0)) || sign === ")";
}

function push(tokens: Token[], token: Token): number {
  tokens.push(token);
  return token.end;
}

/** Past a web address, whose signs are no arithmetic. */
function skipAddress(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) > 32) end += 1;
  return end;
}

function skipLetters(text: string, start: number): number {
  let end = start;
  while (isLetter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Past a word with the apostrophes, hyphens and digits within it ("don't", "half-price", "B12"). */
function skipName(text: string, start: number): number {
  let end = skipLetters(text, start);
  while (true) {
    const code = text.charCodeAt(end);
    const isInner = (code === 39 || code === 0x2019 || code === 45) && isLetter(text.charCodeAt(end + 1));
    if (!isInner && !isLetter(code) && !(isDigit(code) && !isTimesBefore(text, end))) return end;
    end += 1;
  }
}

/** "x" before digits is part of no name where it multiplies: "x5" after a value. */
function isTimesBefore(text: string, end: number): boolean {
  const letter = text.charCodeAt(end - 1) | 32;
  return letter === 120 && !isLetter(text.charCodeAt(end - 2)) && isValueBefore(text, end - 2);
}

function isValueBefore(text: string, at: number): boolean {
  const sign = text.charAt(at) === " " ? text.charAt(at - 1) : text.charAt(at);
  return isValueEnd(sign) || sign === "%" || isLetter(sign.charCodeAt(0));
}

function isLetter(code: number): boolean {
  return isLetterOfWord(code) || code === degree;
}
