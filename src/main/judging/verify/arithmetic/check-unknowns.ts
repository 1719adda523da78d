import type { Finding, Range, Text } from "../types.ts";
import { formatNumber } from "./describe.ts";
import { readSide, type Side } from "./evaluate-unknown.ts";

/** Expressions around equals signs with letters that are alone. */
const fragment = /(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+|(?<![A-Za-z'’])[A-Za-z](?![A-Za-z'’])|[-+*/^()×÷·−–$= ])+/g;
const mostFragments = 400;
const longestFragment = 400;
/** A letter that is given a value. Without one no equation can be judged. */
const solved = /(?:^|[^A-Za-z'’])[A-Za-z] ?=/;
const annotation = /<<[^<>\n]{0,200}>>/g;

interface Member extends Range {
  readonly text: string;
  readonly side: Side;
  readonly letters: string;
}

interface Equation {
  readonly unknown: string;
  readonly members: readonly Member[];
}

/**
 * Equations in one unknown, "2x + 60 = 100 … x = 20": whether each holds for the value that the response comes to. Left
 * alone where it comes to none, or to several.
 */
export function checkUnknowns(response: Text): readonly Finding[] {
  const { text } = response;
  if (!solved.test(text) || text.includes("```")) return [];
  const equations = findEquations(
    text.includes("<<") ? text.replaceAll(annotation, (found) => " ".repeat(found.length)) : text,
  );
  const unknowns = [...new Set(equations.map(({ unknown }) => unknown))];
  return unknowns.flatMap((unknown) =>
    judge(
      response,
      unknown,
      equations.filter((one) => one.unknown === unknown),
    ),
  );
}

function judge(response: Text, unknown: string, equations: readonly Equation[]): readonly Finding[] {
  const solutions = equations.flatMap((equation) => solutionOf(equation) ?? []);
  const [solution] = solutions;
  if (solution === undefined || solutions.some(({ value }) => value !== solution.value)) return [];
  const { source, text } = response;
  const pairs = equations.flatMap(({ members }) =>
    members.slice(1).map((right, index) => ({ left: members[index], right })),
  );
  return pairs.flatMap(({ left, right }): readonly Finding[] => {
    if (left === undefined || (left.letters === "" && right.letters === "")) return [];
    if (isAlone(left) || isAlone(right)) return [];
    const [is, not] = [left.side(solution.value), right.side(solution.value)];
    if (!Number.isFinite(is) || !Number.isFinite(not)) return [];
    const range = { start: left.start, end: right.end };
    const given = `With ${unknown} = ${formatNumber(solution.value)}, ${left.text} is ${formatNumber(is)}`;
    if (isSame(is, not, solution.value)) {
      return [{ kind: "sum", verdict: "supported", range, reason: `${given}.`, evidence: [] }];
    }
    const wrong = right.letters === "" ? right.text : formatNumber(not);
    const evidence = [solution.range, right].map(({ start, end }) => ({
      source,
      start,
      end,
      text: text.slice(start, end),
    }));
    return [
      {
        kind: "sum",
        verdict: "contradicted",
        range,
        reason: `${given}, not ${wrong}.`,
        evidence,
      },
    ];
  });
}

/** Numbers that were rounded on the way may differ a little. */
function isSame(a: number, b: number, solution: number): boolean {
  const tolerance = Number.isInteger(solution) ? 1e-6 : 0.01;
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

/** "x = 20", also at the end of "x = 40 / 2 = 20". */
function solutionOf({ members }: Equation): { readonly value: number; readonly range: Range } | null {
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined || !isAlone(first)) return null;
  if (members.slice(1).some(({ letters }) => letters !== "")) return null;
  return { value: last.side(0), range: { start: first.start, end: last.end } };
}

function isAlone({ text }: Member): boolean {
  return text.length === 1;
}

function findEquations(text: string): readonly Equation[] {
  const equations: Equation[] = [];
  for (const { index, 0: found } of text.matchAll(fragment)) {
    if (!found.includes("=") || found.length > longestFragment) continue;
    if (equations.length === mostFragments) break;
    const members = readMembers(found, index, text.charAt(index - 1));
    const letters = new Set(members?.map((member) => member.letters).join(""));
    const [unknown, ...others] = letters;
    if (members && members.length > 1 && unknown !== undefined && others.length === 0)
      equations.push({ unknown, members });
  }
  return equations;
}

function readMembers(found: string, index: number, before: string): readonly Member[] | null {
  const members: Member[] = [];
  let at = index;
  for (const [place, part] of found.split("=").entries()) {
    const isBullet = place === 0 && /^\s*[-*+]\s/.test(part);
    // "Cost + 3x" continues with what is no number.
    if (isBullet && before !== "\n" && before !== "") return null;
    const plain = (isBullet ? part.replace(/[-*+]/, " ") : part).replaceAll("$", " ");
    const side = readSide(plain);
    if (side === null) return null;
    const text = plain.trim();
    const start = at + plain.indexOf(text);
    const letters = [...text.matchAll(/[A-Za-z]/g)]
      .map(([letter]) => letter)
      .filter((letter, order) => !/x/i.test(letter) || isUnknown(text, order));
    members.push({ start, end: start + text.length, text, side, letters: letters.join("") });
    at += part.length + 1;
  }
  return members;
}

/** Whether the nth letter is no times sign between numbers. */
function isUnknown(text: string, order: number): boolean {
  const place = [...text.matchAll(/[A-Za-z]/g)][order]?.index ?? 0;
  return !(/\d\s*$/.test(text.slice(0, place)) && /^\s*\d/.test(text.slice(place + 1)));
}
