import type { Claim, TextSource, TextSpan, Verdict, VerifyCheck } from "#contract";

const checkNames: Record<VerifyCheck, string | null> = {
  arithmetic: "Arithmetic",
  dates: "Dates",
  grounding: "Grounding",
  instructions: "Instructions",
  consistency: "Consistency",
  model: "Model",
  none: null,
};

/** Who came to the verdict, for people; null where no check applied. */
export function nameCheck(check: VerifyCheck): string | null {
  return checkNames[check];
}

const sourceNames: Record<TextSource, string> = { prompt: "Prompt", document: "Document", response: "Response" };

/** One of the three texts, as its field is labelled. */
export function nameSource(source: TextSource): string {
  return sourceNames[source];
}

/** The evidence worth quoting: without what only repeats the claim, and each part once. */
export function quoteEvidence({ span, evidence }: Claim): TextSpan[] {
  const seen = new Set([keyOf(span)]);
  return evidence.filter((one) => {
    const isNew = one.end > one.start && !seen.has(keyOf(one));
    seen.add(keyOf(one));
    return isNew;
  });
}

/** Names a span among others. */
export function keyOf({ source, start, end }: TextSpan): string {
  return `${source} ${start} ${end}`;
}

/** How many claims came to each verdict. */
export function countVerdicts(claims: readonly Claim[]): Record<Verdict, number> {
  const counts = { contradicted: 0, supported: 0, not_checkable: 0 };
  for (const { verdict } of claims) counts[verdict] += 1;
  return counts;
}
