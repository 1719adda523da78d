import type { Problem, ProblemCode, ProblemGroup } from "#contract";
import { formatCount } from "../format.ts";

/** Most problems that are listed one by one (decisions.md, Batch states). */
const maxListedProblems = 10_000;
/** How many problems of each code a group shows. */
const firstOfGroup = 20;

/** Counts problems as they are found, and keeps as many as may be listed. */
export interface ProblemTally {
  add(problem: Problem): void;
  readonly errorCount: number;
  readonly warningCount: number;
  /** By line, those of the whole file first; bounded, with a last one that counts the rest. */
  list(): Problem[];
  /** By code, the most frequent first. */
  groups(): ProblemGroup[];
}

export function createProblemTally(): ProblemTally {
  const ofFile: Problem[] = [];
  const ofLines: Problem[] = [];
  const groups = new Map<
    string,
    { code: ProblemCode; severity: Problem["severity"]; count: number; first: Problem[] }
  >();
  let errorCount = 0;
  let warningCount = 0;

  return {
    add(problem) {
      const { code, severity, line } = problem;
      if (severity === "error") errorCount += 1;
      else warningCount += 1;
      const key = `${severity} ${code}`;
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { code, severity, count: 1, first: [problem] });
      } else {
        group.count += 1;
        if (group.first.length < firstOfGroup) group.first.push(problem);
      }
      if (line === null) ofFile.push(problem);
      else if (ofLines.length < maxListedProblems) ofLines.push(problem);
    },
    get errorCount() {
      return errorCount;
    },
    get warningCount() {
      return warningCount;
    },
    list() {
      const listed = [...ofFile, ...ofLines].slice(0, maxListedProblems);
      const more = errorCount + warningCount - listed.length;
      return more > 0 ? [...listed, countedRest(more)] : listed;
    },
    groups: () =>
      [...groups.values()].sort((a, b) => b.count - a.count).map((group) => ({ ...group, first: [...group.first] })),
  };
}

/** The same problems by code, the most frequent first. */
export function groupProblems(problems: Iterable<Problem>): ProblemGroup[] {
  const tally = createProblemTally();
  for (const problem of problems) tally.add(problem);
  return tally.groups();
}

function countedRest(more: number): Problem {
  const message = `${formatCount(more)} more ${more === 1 ? "problem is" : "problems are"} not listed.`;
  return { code: "too_many_problems", message, param: null, line: null, severity: "error" };
}
