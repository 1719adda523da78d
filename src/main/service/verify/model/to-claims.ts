import type { Claim, TextSource, TextSpan, VerifyInput } from "#contract";
import { createQuoteFinder, type QuoteFinder } from "../text/find-quote.ts";
import type { Judgement } from "./judge-answer.ts";
import type { Statement } from "./judge-prompt.ts";

/** Turns judgements of a model into claims. A quotation that does not stand in the texts is dropped. */
export function createClaimMapper({ prompt, document, response }: VerifyInput) {
  const texts: Readonly<Record<TextSource, string>> = { prompt, document: document ?? "", response };
  const finders = new Map<TextSource, QuoteFinder>();

  function finderOf(source: TextSource): QuoteFinder {
    const finder = finders.get(source) ?? createQuoteFinder(texts[source]);
    finders.set(source, finder);
    return finder;
  }

  function toSpan({ source, quote }: { source: TextSource; quote: string }): TextSpan | null {
    const range = finderOf(source).find(quote);
    return range && { source, ...range, text: texts[source].slice(range.start, range.end) };
  }

  function toClaim({ claim }: Statement, { verdict, reason, quote, evidence }: Judgement): Claim {
    const { start, end } = finderOf("response").find(quote, claim.span) ?? claim.span;
    return {
      span: { source: "response", start, end, text: response.slice(start, end) },
      verdict,
      check: "model",
      reason: reason === "" ? "The model gave no reason." : reason,
      evidence: evidence.map(toSpan).filter((span) => span !== null),
    };
  }

  /** The claims of the statements that were judged; a statement may have several, about different parts of it. */
  return (statements: readonly Statement[], judgements: readonly Judgement[]): readonly Claim[] =>
    statements.flatMap((statement) => {
      const claims = judgements
        .filter(({ id }) => id === statement.id)
        .map((judgement) => toClaim(statement, judgement));
      return claims.length === 0
        ? [{ ...statement.claim, reason: "The model said nothing about it." }]
        : distinct(claims);
    });
}

/** One claim for each part of the response, the first that was said. */
function distinct(claims: readonly Claim[]): readonly Claim[] {
  return claims.filter(
    ({ span }, index) =>
      claims.findIndex((other) => other.span.start === span.start && other.span.end === span.end) === index,
  );
}
