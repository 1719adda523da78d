import { judgeByRules } from "../../src/main/service/verify/rules-judge.ts";
import { type ChangeKind, changeNumber, type Holds, stripAnnotations } from "./change-number.ts";
import { readSolutions } from "./solutions.ts";

/** How many changed equations were found, and how many by a claim that covers the whole equation. */
export interface Found {
  readonly solutions: number;
  readonly found: number;
  readonly withSpan: number;
  /** The solutions in which the change was not found, or not where it is. */
  readonly missed: readonly string[];
}

/** The solutions, as they are or without their annotations, that come out as contradicted. */
export async function findContradicted(isStripped: boolean): Promise<readonly string[]> {
  const solutions = await readSolutions();
  return solutions
    .filter(({ solution }) => contradictions(isStripped ? strip(solution) : solution).length > 0)
    .map(({ id }) => id);
}

/** Changes one number in one equation of each solution, and looks whether it is found. */
export async function scoreChanges(kind: ChangeKind, isStripped: boolean, holds: Holds): Promise<Found> {
  const missed: string[] = [];
  let solutions = 0;
  let found = 0;
  for (const [index, { id, solution }] of (await readSolutions()).entries()) {
    const annotated = changeNumber(solution, kind, index * 7 + 1, holds);
    if (annotated === null) continue;
    solutions += 1;
    const changed = isStripped ? stripAnnotations(annotated) : annotated;
    const spans = contradictions(changed.text);
    if (spans.length > 0) found += 1;
    if (!spans.some(({ start, end }) => start <= changed.start && end >= changed.end)) missed.push(id);
  }
  return { solutions, found, withSpan: solutions - missed.length, missed };
}

function contradictions(response: string) {
  const { claims } = judgeByRules({ prompt: "", response, document: null, strict: false });
  return claims.filter(({ verdict }) => verdict === "contradicted").map(({ span }) => span);
}

function strip(solution: string): string {
  return solution.replaceAll(/<<[^<>]*>>/g, "");
}
