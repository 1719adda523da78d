import type { Claim, TextSpan, Verdict, VerifyResult } from "#contract";
import { verdictOf } from "#service";
import { formatCount } from "./phrases.ts";

const marks: Readonly<Record<Verdict, string>> = {
  contradicted: "✗",
  not_found: "?",
  supported: "✓",
  not_checkable: "–",
};
const words: Readonly<Record<Verdict, string>> = {
  contradicted: "Contradicted",
  not_found: "Not in the document",
  supported: "Supported",
  not_checkable: "Not checkable",
};
const longestQuote = 160;

/** A result for a person at a terminal: the verdict, then each claim with its reason and its evidence. */
export function formatVerdict(result: VerifyResult): string {
  const verdict = words[verdictOf(result)];
  const { total_tokens: tokens } = result.usage;
  const used = tokens === 0 ? [] : ["", `The model used ${formatCount(tokens, "token")}.`];
  return [`${verdict}: ${toLine(result.explanation)}`, ...result.claims.flatMap(formatClaim), ...used].join("\n");
}

function formatClaim({ span, verdict, judge, findings }: Claim): string[] {
  const by = judge === "model" ? " (model)" : "";
  return [
    "",
    `${marks[verdict]} ${words[verdict]}${by}: ${quote(span)}`,
    ...findings.flatMap(({ kind, reason, evidence }) => [
      `  ${toLine(reason)}${kind === null ? "" : ` (${kind})`}`,
      ...evidence.map(formatEvidence),
    ]),
  ];
}

function formatEvidence(span: TextSpan): string {
  return `  ${span.source} ${span.start}–${span.end}: ${quote(span)}`;
}

function quote({ text }: TextSpan): string {
  const line = toLine(text);
  return `"${line.length <= longestQuote ? line : `${line.slice(0, longestQuote).toWellFormed()}…`}"`;
}

/** Text of others must not move the cursor or change colours: it is one line of what can be seen. */
function toLine(text: string): string {
  return text
    .slice(0, 4 * longestQuote)
    .replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
}
