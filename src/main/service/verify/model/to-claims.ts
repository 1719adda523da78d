import type { Claim, Finding, TextSource, TextSpan, VerifyInput } from "#contract";
import { compareVerdicts, gravestOf } from "../compose-claims.ts";
import { createQuoteFinder, type QuoteFinder } from "../text/quotations.ts";
import { readText } from "../text/sentences.ts";
import type { Judgement } from "./judge-answer.ts";
import type { Statement } from "./judge-prompt.ts";

/** Turns judgements of a model into claims. A quotation that does not stand in the texts is dropped. */
export function createClaimMapper({ prompt, document, response }: VerifyInput) {
  const texts: Readonly<Record<TextSource, string>> = { prompt, document: document ?? "", response };
  const finders = new Map<TextSource, QuoteFinder>();

  function finderOf(source: TextSource): QuoteFinder {
    const finder = finders.get(source) ?? createQuoteFinder(readText(source, texts[source]));
    finders.set(source, finder);
    return finder;
  }

  function toSpan({ source, quote }: { source: TextSource; quote: string }): TextSpan | null {
    const range = finderOf(source).find(quote);
    return range && { source, ...range, text: texts[source].slice(range.start, range.end) };
  }

  function toFinding({ claim }: Statement, { verdict, reason, quote, evidence }: Judgement): Finding {
    const { start, end } = finderOf("response").find(quote, claim.span) ?? claim.span;
    return {
      kind: null,
      verdict,
      span: { source: "response", start, end, text: response.slice(start, end) },
      reason: reason === "" ? "The model gave no reason." : reason,
      evidence: evidence.map(toSpan).filter((span) => span !== null),
    };
  }

  /** The claims of the statements, with what the model said about their parts. */
  return (statements: readonly Statement[], judgements: readonly Judgement[]): readonly Claim[] =>
    statements.map((statement) => {
      const findings = judgements
        .filter(({ id }) => id === statement.id)
        .map((judgement) => toFinding(statement, judgement))
        .toSorted((a, b) => compareVerdicts(a.verdict, b.verdict));
      if (findings.length === 0) return sayNothing(statement.claim, "The model said nothing about it.");
      const { span } = statement.claim;
      return { span, verdict: gravestOf(findings.map(({ verdict }) => verdict)), judge: "model", findings };
    });
}

/** A claim that no model judged, and why. */
export function sayNothing({ span }: Claim, reason: string): Claim {
  const finding: Finding = { kind: null, verdict: "not_checkable", span, reason, evidence: [] };
  return { span, verdict: "not_checkable", judge: "model", findings: [finding] };
}
