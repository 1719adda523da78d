import { formatCount, type Problem, type ProblemCode, type ProblemGroup, type Span } from "#contract";

/** Most problems that are listed one by one (decisions.md, Batch states). */
const maxListedProblems = 10_000;
/** How many problems of each code a group shows. */
const firstOfGroup = 20;
/** How many runs of lines a group names. */
const mostSpans = 50_000;
/** How many causes of a code have groups of their own; all further ones are in one. */
const mostCauses = 20;
/** Codes whose message names the cause, such as the column, and says nothing of the row. */
const causedCodes: ReadonlySet<ProblemCode> = new Set([
  "empty_value",
  "text_as_condition",
  "template_error",
  "unknown_column",
]);

/** Counts problems as they are found, and keeps as many as may be listed. */
export interface ProblemTally {
  add(problem: Problem): void;
  readonly errorCount: number;
  readonly warningCount: number;
  /** Lines with an error, each counted once. */
  readonly faultyLines: number;
  /** By line, those of the whole file first; bounded, with a last one that counts the rest. */
  list(): Problem[];
  /** By code and cause, the most frequent first; with the lines of each where they are asked for. */
  groups(withLines?: boolean): ProblemGroup[];
}

interface Group {
  readonly code: ProblemCode;
  readonly severity: Problem["severity"];
  count: number;
  readonly first: Problem[];
  readonly lines: LineCount;
}

export function createProblemTally(): ProblemTally {
  const ofFile: Problem[] = [];
  const ofLines: Problem[] = [];
  const groups = new Map<string, Group>();
  const causes = new Map<string, Set<string>>();
  const faulty = createLineCount(0);
  let errorCount = 0;
  let warningCount = 0;

  function causeOf({ code, message }: Problem): string {
    if (!causedCodes.has(code)) return "";
    const known = causes.get(code) ?? new Set();
    causes.set(code, known);
    if (known.size < mostCauses) known.add(message);
    return known.has(message) ? message : "";
  }

  return {
    add(problem) {
      const { code, severity, line } = problem;
      if (severity === "error") errorCount += 1;
      else warningCount += 1;
      const key = `${severity} ${code} ${causeOf(problem)}`;
      const group = groups.get(key) ?? { code, severity, count: 0, first: [], lines: createLineCount(mostSpans) };
      groups.set(key, group);
      group.count += 1;
      if (group.first.length < firstOfGroup) group.first.push(problem);
      if (line !== null) group.lines.add(line);
      if (line !== null && severity === "error") faulty.add(line);
      if (line === null) ofFile.push(problem);
      else if (ofLines.length < maxListedProblems) ofLines.push(problem);
    },
    get errorCount() {
      return errorCount;
    },
    get warningCount() {
      return warningCount;
    },
    get faultyLines() {
      return faulty.count;
    },
    list() {
      const listed = [...ofFile, ...ofLines].slice(0, maxListedProblems);
      const more = errorCount + warningCount - listed.length;
      return more > 0 ? [...listed, countedRest(more)] : listed;
    },
    groups: (withLines = false) =>
      [...groups.values()]
        .sort((a, b) => b.count - a.count)
        .map(({ lines, first, ...group }) => ({
          ...group,
          lines: lines.count,
          first: [...first],
          ...(withLines ? { where: [...lines.spans] } : {}),
        })),
  };
}

interface LineCount {
  add(line: number): void;
  readonly count: number;
  readonly spans: readonly Span[];
}

/** Counts lines once each that come in ascending order, and remembers a given number of runs of them. */
function createLineCount(most: number): LineCount {
  const spans: Span[] = [];
  let count = 0;
  let last: number | null = null;
  return {
    add(line) {
      if (line === last) return;
      count += 1;
      const span = spans.at(-1);
      if (span !== undefined && span[1] === last && line === last + 1) span[1] = line;
      else if (spans.length < most) spans.push([line, line]);
      last = line;
    },
    get count() {
      return count;
    },
    spans,
  };
}

/** The same problems by code and cause, the most frequent first. */
export function groupProblems(problems: Iterable<Problem>): ProblemGroup[] {
  const tally = createProblemTally();
  for (const problem of problems) tally.add(problem);
  return tally.groups(true);
}

function countedRest(more: number): Problem {
  const message = `${formatCount(more, "more problem is", "more problems are")} not listed.`;
  return { code: "too_many_problems", message, param: null, line: null, severity: "error" };
}
