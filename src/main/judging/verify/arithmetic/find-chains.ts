import { closesWords, type Run, readExpression } from "./parse.ts";
import { isBlocker, isFunctionName, isMinus, isVariableName, startsOperand, type Token } from "./tokens.ts";

/** An expression between equals signs. */
export interface Member {
  readonly run: Run;
  /** Whether something before or after it may belong to it, so that what it comes to is not certain. */
  readonly isOpen: boolean;
  /** Whether the sign before it says "about". */
  readonly isRough: boolean;
  /** Whether a verb ("is", "makes") is before it in place of an equals sign. */
  readonly isAfterVerb: boolean;
}

/** Expressions that are said to be equal: "2 + 2 = 4", "4 × 60 ÷ 5 = 4 × 12 = 48". At least two members. */
export interface Chain {
  readonly members: readonly Member[];
}

const mostWords = 8;
const approximators: ReadonlySet<string> = new Set(
  "about approximately approx around roughly nearly almost exactly only just still therefore simply".split(" "),
);
const rough: ReadonlySet<string> = new Set("about approximately approx around roughly nearly almost".split(" "));

/** The chains of equal expressions in a text. Every token is looked at a bounded number of times. */
export function findChains(tokens: readonly Token[]): readonly Chain[] {
  const chains: Chain[] = [];
  let at = 0;
  while (at < tokens.length) {
    const run = startsOperand(tokens, at) ? readExpression(tokens, at) : null;
    if (run === null) {
      at += 1;
      continue;
    }
    const { members, next } = follow(tokens, run);
    if (members.length > 1) chains.push({ members });
    at = next;
  }
  return chains;
}

function follow(tokens: readonly Token[], first: Run) {
  const members: Member[] = [
    { run: first, isOpen: isOpenBefore(tokens, first.first), isRough: false, isAfterVerb: false },
  ];
  let run = first;
  while (true) {
    const sign = findEquals(tokens, run);
    if (sign === null) break;
    const token = tokens[sign.at];
    if (token?.kind !== "equals") break;
    const after = skipToOperand(tokens, sign.at + 1);
    const next = startsOperand(tokens, after.at) ? readExpression(tokens, after.at) : null;
    if (next === null) break;
    if (sign.hasVariable) markOpen(members);
    const isRough = token.isRough || after.isRough;
    members.push({ run: next, isOpen: isOpenAfter(tokens, next.next), isRough, isAfterVerb: token.isVerb });
    run = next;
  }
  return { members, next: run.next };
}

function markOpen(members: Member[]): void {
  const last = members.pop();
  if (last) members.push({ ...last, isOpen: true });
}

/** The equals sign after an expression, past the words of its unit. A verb counts only soon after, and a line may end before a sign. */
function findEquals(tokens: readonly Token[], run: Run): { readonly at: number; readonly hasVariable: boolean } | null {
  let hasVariable = false;
  for (let at = run.next, count = 0; count <= mostWords; at += 1, count += 1) {
    const token = tokens[at];
    if (token === undefined) return null;
    if (token.kind === "equals") return token.isVerb && (!run.hasOperator || count > 3) ? null : { at, hasVariable };
    if (token.kind === "word") {
      if (isBlocker(token) && count > 4) return null;
      if (isVariableName(token)) hasVariable = true;
    } else if (token.kind === "open" && closesWords(tokens, at) > 0) {
      at = closesWords(tokens, at) - 1;
    } else if (token.kind === "break") {
      // A line may end before the sign, not after a verb.
      const next = tokens[at + 1];
      if (next?.kind !== "break" && (next?.kind !== "equals" || next.isVerb)) return null;
    } else if (token.kind === "open") {
      const next = tokens[at + 1];
      if (next?.kind !== "equals" || next.isVerb) return null;
    } else if (token.kind === "operator" && token.operator === "/" && tokens[at + 1]?.kind === "word") {
      // A rate: "$20/hour".
    } else if (token.kind === "operator" && token.operator === "of") {
      // "20 percent of them".
    } else if (token.kind !== "close" && token.kind !== "currency" && token.kind !== "annotation") return null;
  }
  return null;
}

/** Past what may stand between an equals sign and its value: an annotation, a currency before it, "about". */
function skipToOperand(tokens: readonly Token[], from: number): { readonly at: number; readonly isRough: boolean } {
  let isRough = false;
  let at = from;
  for (; at < from + 5; at += 1) {
    const token = tokens[at];
    if (token === undefined || startsOperand(tokens, at)) break;
    if (token.kind === "word" && approximators.has(token.word)) isRough ||= rough.has(token.word);
    else if (token.kind === "break" && at === from) continue;
    else if (token.kind !== "annotation" && token.kind !== "currency" && token.kind !== "word") break;
    else if (token.kind === "word" && !["a", "total", "of", "to"].includes(token.word)) break;
  }
  return { at, isRough };
}

/** Whether what is before an expression may be part of it: an operator after a variable, a function, "packs of". */
function isOpenBefore(tokens: readonly Token[], first: number): boolean {
  const before = tokens[first - 1];
  const start = tokens[first];
  if (before === undefined || start === undefined) return false;
  if (before.kind === "operator")
    return before.operator === "of" ? hasNumberNear(tokens, first) : !isBullet(tokens, first - 1);
  if (before.kind === "percent" || before.kind === "power" || before.kind === "fraction" || before.kind === "root")
    return true;
  if (isFunctionName(before)) return true;
  if (before.kind === "number" || before.kind === "close") return !isLabel(tokens, first - 1);
  if (start.kind === "open") return before.end === start.start && before.kind === "word";
  if (before.kind === "word" && labels.has(before.word)) return isMinus(tokens[first + 1]);
  if (before.kind === "word" && (before.word === "at" || before.word === "by" || before.word === "than"))
    return hasNumberNear(tokens, first);
  // "24 eggs in 1 tray x 2 trays"
  if (before.kind === "word" && /^(?:in|per|each|every)$/.test(before.word) && hasNumberNear(tokens, first))
    return true;
  return isVariableName(before) && before.end === start.start;
}

/** "(1)" or "a)" at the beginning of a line. */
function isLabel(tokens: readonly Token[], at: number): boolean {
  const isStart = (before: Token | undefined) => before === undefined || before.kind === "break";
  return (
    tokens[at]?.kind === "close" &&
    (isStart(tokens[at - 2]) || (tokens[at - 2]?.kind === "open" ? false : isStart(tokens[at - 3])))
  );
}

/** Words whose number is a name: "Step 1 - 5 + 3 = 8". */
const labels: ReadonlySet<string> = new Set(
  "step day week part question problem case option example item method exercise".split(" "),
);
const separators: ReadonlySet<string> = new Set("for and so or total sum is was a an the to which that".split(" "));

/** A dash, plus or star at the beginning of a line begins an item of a list. */
function isBullet(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before === undefined || before.kind === "break" || before.kind === "punctuation";
}

function hasNumberNear(tokens: readonly Token[], first: number): boolean {
  for (let at = first - 2; at >= 0 && at >= first - 5; at -= 1) {
    const token = tokens[at];
    if (token?.kind === "number") return true;
    if (token?.kind === "word" && separators.has(token.word)) return false;
    if (token?.kind === "break" || token?.kind === "punctuation" || token?.kind === "equals") return false;
  }
  return false;
}

/** Whether the expression continues with a variable or a word: "10 + x", "5 × the price". */
function isOpenAfter(tokens: readonly Token[], next: number): boolean {
  const token = tokens[next];
  const after = tokens[next + 1];
  if (token?.kind === "word") return isVariableName(token) && token.start === tokens[next - 1]?.end;
  if (token?.kind !== "operator" || token.isWord || after?.kind !== "word") return false;
  return isMinus(token) || token.operator === "/" ? isVariableName(after) : true;
}
