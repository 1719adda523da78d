import type { NearestPassage, TextSource, TextSpan, VerifyInput, VerifyResult } from "#contract";
import { composeWithOffsets, readAnswerText } from "#main/answers";

export interface ComposedInput {
  /** The texts as all judges read them: composed, and the response after its reasoning. */
  readonly input: VerifyInput;
  /** A result about `input` as one about the texts as they came: its spans point into these. */
  readonly restore: (result: VerifyResult) => VerifyResult;
}

/** Reads the texts of a verification as graders read answers. */
export function composeInput(original: VerifyInput): ComposedInput {
  const { text, start } = readAnswerText(original.response);
  const composed = {
    prompt: composeWithOffsets(original.prompt),
    response: composeWithOffsets(text),
    document: composeWithOffsets(original.document ?? ""),
  };
  const prompt = composed.prompt.text;
  const response = composed.response.text;
  const document = original.document === null ? null : composed.document.text;
  if (prompt === original.prompt && response === original.response && document === original.document) {
    return { input: original, restore: (result) => result };
  }

  const textOf = (source: TextSource) => original[source] ?? "";
  const restoreSpan = (span: TextSpan): TextSpan => {
    const shift = span.source === "response" ? start : 0;
    const { toOriginal } = composed[span.source];
    const range = { start: shift + toOriginal(span.start), end: shift + toOriginal(span.end) };
    return { ...span, ...range, text: textOf(span.source).slice(range.start, range.end) };
  };
  const restoreNearest = ({ span, differing }: NearestPassage): NearestPassage => ({
    span: restoreSpan(span),
    differing: differing.map((word) => ({ ...word, ...restoreSpan(word) })),
  });
  return {
    input: { ...original, prompt, response, document },
    restore: (result) => ({
      ...result,
      prompt: original.prompt,
      response: original.response,
      claims: result.claims.map((claim) => ({
        ...claim,
        span: restoreSpan(claim.span),
        ...(claim.nearest && { nearest: restoreNearest(claim.nearest) }),
        findings: claim.findings.map(({ span, evidence, ...finding }) => ({
          ...finding,
          span: restoreSpan(span),
          evidence: evidence.map(restoreSpan),
        })),
      })),
    }),
  };
}
