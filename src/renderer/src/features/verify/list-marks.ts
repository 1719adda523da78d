import type { TextSource, TextSpan, VerifyResult } from "#contract";
import { lookOfVerdict, type VerdictLook } from "../../components/index.ts";

/** A part of a text to be marked: a claim in the response, or what verdicts stand on in any of the texts. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: "claim" | "evidence";
  /** Of the claim's verdict; null for evidence. */
  readonly tone: VerdictLook["tone"] | null;
  /** The places of the claims that it belongs to. */
  readonly claims: readonly number[];
}

/**
 * The marks of one text, by where they start. Evidence that several claims share is marked once; evidence that is a
 * claim itself is marked as a claim only, and so belongs to both.
 */
export function listMarks({ claims }: VerifyResult, source: TextSource): Mark[] {
  const marks = new Map<string, Mark>();

  function put({ start, end }: TextSpan, claim: number, tone: Mark["tone"]): void {
    if (end <= start) return;
    const key = `${start} ${end}`;
    const known = marks.get(key);
    const all = known === undefined ? [claim] : [...known.claims, claim];
    if (known === undefined)
      marks.set(key, { start, end, kind: tone === null ? "evidence" : "claim", tone, claims: all });
    else if (!known.claims.includes(claim)) marks.set(key, { ...known, claims: all });
  }

  claims.forEach(({ span, verdict }, index) => {
    if (span.source === source) put(span, index, lookOfVerdict(verdict).tone);
  });
  claims.forEach(({ evidence }, index) => {
    for (const span of evidence) if (span.source === source) put(span, index, null);
  });
  return [...marks.values()].sort((first, second) => first.start - second.start || second.end - first.end);
}

/** The claim that a place in the text belongs to: that of the shortest mark around it. Null where nothing is marked. */
export function findClaimAt(marks: readonly Mark[], position: number): number | null {
  let shortest: Mark | null = null;
  for (const mark of marks) {
    if (position < mark.start || position >= mark.end) continue;
    if (shortest === null || mark.end - mark.start < shortest.end - shortest.start) shortest = mark;
  }
  return shortest?.claims[0] ?? null;
}

/** The mark to bring into view for a claim: itself before what it stands on. */
export function findMarkOf(marks: readonly Mark[], claim: number): Mark | null {
  const own = marks.filter(({ claims }) => claims.includes(claim));
  return own.find(({ kind, claims }) => kind === "claim" && claims[0] === claim) ?? own[0] ?? null;
}
