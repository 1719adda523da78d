import type { Verdict } from "#contract";
import type { Finding, Range } from "./types.ts";

const weight: Readonly<Record<Verdict, number>> = { contradicted: 2, supported: 1, not_checkable: 0 };

/**
 * The findings of all checks in the order of the response, each said once. For the same range a contradiction wins over
 * support, and both over "not checkable". Of nested findings that say the same, the inner contradiction and the outer
 * support stay; those that say different things stay apart. So do findings about the form of the response: each tells of
 * an instruction of its own, and none of what the response says.
 */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const about = (finding: Finding) => (finding.check === "instructions" ? "form" : "content");
  const { form = [], content = [] } = Object.groupBy(findings, about);
  const merged = dropNested(mergeSameRange(content.toSorted(compareFindings)));
  return [...form, ...merged].toSorted(compareFindings);
}

function compareFindings(a: Finding, b: Finding): number {
  const byPlace = a.range.start - b.range.start || b.range.end - a.range.end;
  return byPlace || weight[b.verdict] - weight[a.verdict] || rank(a) - rank(b);
}

function rank({ check }: Finding): number {
  return check === "grounding" ? 1 : 0;
}

/**
 * Findings of one range are neighbours here, the one that wins first. Each check is heard once; that the document doesn't
 * have something is not worth saying beside a check that says why it is wrong.
 */
function mergeSameRange(sorted: readonly Finding[]): readonly Finding[] {
  const merged: Finding[] = [];
  let winner: Finding | undefined;
  let heard = new Set<string>();
  for (const finding of sorted) {
    if (winner === undefined || !isSame(winner.range, finding.range)) {
      winner = finding;
      heard = new Set();
    } else if (finding.verdict !== "contradicted" || heard.has(finding.check) || finding.check === "grounding") {
      continue;
    }
    heard.add(finding.check);
    merged.push(finding);
  }
  return merged;
}

/** In the sorted order, what holds a finding comes before it: the open ones are a stack. */
function dropNested(sorted: readonly Finding[]): readonly Finding[] {
  const dropped = new Set<Finding>();
  let open: Finding[] = [];
  for (const finding of sorted) {
    open = open.filter(({ range }) => range.end > finding.range.start);
    for (const outer of open) {
      if (outer.check !== finding.check || !holds(outer.range, finding.range)) continue;
      if (finding.verdict === "contradicted") dropped.add(outer);
      else if (outer.verdict === finding.verdict) dropped.add(finding);
    }
    if (!dropped.has(finding)) open.push(finding);
  }
  return sorted.filter((finding) => !dropped.has(finding));
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end;
}

function holds(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && outer.end >= inner.end && !isSame(outer, inner);
}
