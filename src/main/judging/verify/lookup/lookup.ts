import type { FindingKind, TextSpan, Verdict } from "#contract";
import type { Finding, Range, Text } from "../types.ts";
import type { Asked, DetailLocation } from "./find-detail.ts";
import type { Passages } from "./index-passages.ts";
import type { Detail } from "./read-statements.ts";

/** What the look-up of a response goes by. */
export interface Lookup {
  readonly response: Text;
  readonly passages: Passages;
  readonly asked: Asked;
  /** "The document" or "The passage". */
  readonly source: string;
}

/** A detail of a statement, and where it is. */
export interface Placed {
  readonly detail: Detail;
  readonly where: DetailLocation;
}

/** The share of a statement's words that a passage must have to be about the same. */
export const leastShared = 0.5;

/** Of a longer passage, evidence shows the beginning. */
const longestShown = 1_000;

/** A part of a text as evidence. */
export function spanOf({ source, text }: Text, { start, end: whole }: Range): TextSpan {
  const end = Math.min(whole, start + longestShown);
  return { source, start, end, text: text.slice(start, end) };
}

/** A finding about a part of the response. */
export function toFinding(
  kind: FindingKind | null,
  verdict: Verdict,
  { start, end }: Range,
  reason: string,
  evidence: readonly TextSpan[] = [],
): Finding {
  return { kind, verdict, range: { start, end }, reason, evidence };
}
